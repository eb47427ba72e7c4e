import { people, WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, makeSubscription } from './farm.ts';
import { pages } from './pages.ts';
import { makeTenants } from './tenants.ts';

const themes = ['light', 'dark'] as const;
const widths = [360, 768, 1280, 1920, 2560];
/** The layout changes below 768 only, so axe looks at both sides of it; `AXE_EVERY_WIDTH=1` lets it look at each width. */
const axeWidths = process.env['AXE_EVERY_WIDTH'] === '1' ? widths : [360, 1280];
describeWhereInstalled(
  'every page in every theme and width (skipped where Debian’s chromium is missing)',
  () => {
    const api = new WholeApi(() => ({ auth: { operator_users: [people.operator, people.admin] } }));
    const console = new ConsoleBrowser(api);
    const made = { deployment: '' };
    beforeAll(async () => {
      await makeFarm(api);
      Object.assign(made, await makeTenants(api));
      await makeSubscription(api);
    });

    it.each(pages)(
      '%s fits, and axe finds nothing',
      async (name, path, text) => {
        // Without TLS the Kubernetes API gives no kubeconfig: the page of settings asks.
        const page =
          name === 'settings'
            ? await console.open('admin', path, { allow: [404] })
            : await console.tab('admin');
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.goto(`${api.publicUrl}/console${path.replace('{deployment}', made.deployment)}`);
        await page.getByText(text).first().waitFor();
        const overflowing: string[] = [];
        for (const theme of themes) {
          await page.emulateMedia({ colorScheme: theme });
          for (const width of widths) {
            await page.setViewportSize({ width, height: width < 600 ? 780 : 900 });
            const wide = await page.evaluate('document.documentElement.scrollWidth');
            if (Number(wide) > width) overflowing.push(`${theme} ${width}: ${wide}`);
            await look(page, `${name}-${theme}-${width}`);
            // The themes differ in their colours alone.
            if (axeWidths.includes(width)) await expectAccessible(page, theme === 'light' ? 'all' : 'colors');
          }
        }
        expect(overflowing).toEqual([]);
      },
      120_000,
    );
  },
);
