import { people, WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, tractorsPage } from './farm.ts';
import { makeTenants } from './tenants.ts';

const themes = ['light', 'dark'] as const;
const widths = [360, 768, 1280, 1920, 2560];
/** The layout changes below 768 only, so axe looks at both sides of it; `AXE_EVERY_WIDTH=1` lets it look at each width. */
const axeWidths = process.env['AXE_EVERY_WIDTH'] === '1' ? widths : [360, 1280];
const bigRed = `${tractorsPage}/acme/hill/big-red`;
const shop = '/tenants/shop';

/** Every page with a text that is there when it is complete. */
const pages: readonly (readonly [name: string, path: string, text: string])[] = [
  ['home', '', 'Deletions'],
  ['kinds', '/kinds', 'Land with machines on it.'],
  ['table', tractorsPage, 'big-red'],
  ['table-empty', `${tractorsPage}?labels=tier=none`, 'No resource matches the filters'],
  ['resource', bigRed, 'Identity'],
  ['resource-yaml', `${bigRed}?tab=yaml`, 'horsepower'],
  ['resource-status', `${bigRed}?tab=status`, 'No controller has reported'],
  ['resource-graph', '/r/farm.example.dev/v1/farms/acme/hill?tab=graph', 'big-red'],
  ['resource-history', `${bigRed}?tab=history`, 'Changes'],
  ['resource-explain', `${bigRed}?tab=explain`, 'What depends on it'],
  ['new', '/new/farm.example.dev/v1/tractors/acme/hill', 'New Tractor'],
  ['removed', '/removed', 'Removed'],
  ['tenants', '/tenants', 'shop'],
  ['teams', '/tenants?tab=teams', 'makers'],
  ['organizations', '/tenants?tab=organizations', 'globex'],
  ['organization', '/tenants/organizations/acme', 'Resources below'],
  ['team', '/tenants/teams/makers', 'Projects that it owns'],
  ['project', shop, 'Organization'],
  ['environments', `${shop}?tab=environments`, 'production'],
  ['deployments', `${shop}?tab=deployments`, 'Valid'],
  ['accounts', `${shop}?tab=accounts`, 'repo:acme/shop'],
  ['extensions', `${shop}?tab=extensions`, 'sign-in'],
  ['domains', `${shop}?tab=domains&q=www.shop.example`, '_platform-challenge.www.shop.example'],
  ['logins', `${shop}?tab=logins`, 'No logins yet'],
  ['environment', `${shop}/environments/production`, 'Deployment'],
  ['account', `${shop}/service-accounts/ci`, 'repo:acme/shop'],
  ['extension', `${shop}/extensions/sign-in`, 'For the app'],
  ['doctor', `${shop}/extensions/sign-in?tab=doctor`, 'To do:'],
  ['access', '/access', 'Bindings'],
  ['roles', '/access?tab=roles', 'restore'],
  ['who', '/access?tab=who', 'Path of the request'],
  ['audit', '/ops/audit?action=resource.created', 'resource.created'],
  ['audit-empty', '/ops/audit?actor=nobody@example.dev', 'No record matches'],
  ['collector', '/ops/collector', 'The collector has nothing to do'],
  ['sessions', '/ops/sessions', 'No session is listed'],
  ['settings', '/settings', 'npm install --global'],
  ['missing', '/nowhere', 'The console has no such page'],
];

describeWhereInstalled(
  'every page in every theme and width (skipped where Debian’s chromium is missing)',
  () => {
    const api = new WholeApi(() => ({ auth: { operator_users: [people.operator, people.admin] } }));
    const console = new ConsoleBrowser(api);
    beforeAll(async () => {
      await makeFarm(api);
      await makeTenants(api);
    });

    it.each(pages)(
      '%s fits, and axe finds nothing',
      async (name, path, text) => {
        // Without TLS the Kubernetes API gives no kubeconfig: the page of settings asks.
        const page = await console.open('admin', path, { allow: name === 'settings' ? [404] : [] });
        await page.getByText(text).first().waitFor();
        const overflowing: string[] = [];
        for (const theme of themes) {
          await page.emulateMedia({ colorScheme: theme });
          for (const width of widths) {
            await page.setViewportSize({ width, height: width < 600 ? 780 : 900 });
            const wide = await page.evaluate('document.documentElement.scrollWidth');
            if (Number(wide) > width) overflowing.push(`${theme} ${width}: ${wide}`);
            if (axeWidths.includes(width)) await look(page, `matrix-${name}-${theme}-${width}`);
            if (axeWidths.includes(width)) await expectAccessible(page);
          }
        }
        expect(overflowing).toEqual([]);
      },
      120_000,
    );
  },
);
