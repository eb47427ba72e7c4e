import { WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm } from './farm.ts';

describeWhereInstalled(
  'running the platform in the console (skipped where Debian’s chromium is missing)',
  () => {
    const api = new WholeApi();
    const console = new ConsoleBrowser(api);
    beforeAll(async () => {
      await makeFarm(api);
      await api
        .as('admin', 'post', '/api/v1/projects')
        .send({ name: 'shop', owner: { user: 'owner@example.dev' } })
        .expect(201);
      await api.as('admin', 'post', '/api/v1/projects/shop/environments').send({ name: 'live' }).expect(201);
      await api
        .as('operator', 'post', '/api/v1/resources/platform.dev/v1alpha1/rolebindings')
        .send({
          apiVersion: 'platform.dev/v1alpha1',
          kind: 'RoleBinding',
          metadata: { name: 'members' },
          spec: { roleRef: { name: 'viewer' }, subjects: [{ kind: 'User', name: 'member@example.dev' }] },
        })
        .expect(201);
    });

    it.each([
      { theme: 'light', width: 1280 },
      { theme: 'dark', width: 360 },
    ] as const)(
      'shows every page in $theme at a width of $width without a fault',
      async ({ theme, width }) => {
        const pages: readonly (readonly [string, string, string])[] = [
          ['audit', '/ops/audit?action=resource.created', 'resource.created'],
          ['audit-empty', '/ops/audit?actor=nobody@example.dev', 'No record matches'],
          ['collector', '/ops/collector', 'The collector has nothing to do'],
          ['sessions', '/ops/sessions', 'No session is listed'],
          ['access', '/access', 'member@example.dev'],
          ['roles', '/access?tab=roles', 'restore'],
          ['settings', '/settings', 'npm install --global'],
        ];
        const page = await console.open('operator', '', { theme, width });
        for (const [name, path, text] of pages) {
          await page.goto(`${api.publicUrl}/console${path}`);
          await page.getByText(text).first().waitFor();
          await look(page, `${name}-${theme}-${width}`);
          await expectAccessible(page);
        }
      },
      120_000,
    );

    it('shows an owner the projects with what is below them', async () => {
      const page = await console.open('owner', '/tenants', { allow: [403] });
      await page.getByRole('link', { name: 'shop' }).click();
      await page.getByRole('heading', { name: 'shop', level: 1 }).waitFor();
      await look(page, 'project');
      await expectAccessible(page);
      for (const [tab, text] of [
        ['environments', 'live'],
        ['deployments', 'No deployments yet'],
        ['accounts', 'No service accounts yet'],
        ['extensions', 'No extensions yet'],
        ['logins', 'You may not'],
      ] as const) {
        await page.goto(`${api.publicUrl}/console/tenants/shop?tab=${tab}`);
        await page.getByText(text, { exact: false }).first().waitFor();
        await expectAccessible(page);
      }
    });

    it('answers who may send a request, by binding', async () => {
      const page = await console.open('operator', '/access?tab=who');
      await page
        .getByLabel('Path of the request')
        .fill('/api/v1/resources/farm.example.dev/v1/farms/acme/hill');
      await page.getByRole('button', { name: 'Ask' }).click();
      await page.getByText('Yes').waitFor();
      await page.getByRole('region', { name: 'Who may?' }).getByText('member@example.dev').waitFor();
      await look(page, 'who-can');
      await expectAccessible(page);
    });

    it('shows a member who is bound to a role what the role allows, and no menu of operators', async () => {
      const page = await console.open('member', '/r/farm.example.dev/v1/tractors/acme/hill', {
        allow: [403],
      });
      await page.getByRole('link', { name: 'big-red' }).waitFor();
      expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
      await page.goto(`${api.publicUrl}/console/ops/audit`);
      await page.getByText('You may not read audit records').waitFor();
      await expectAccessible(page);
    });
  },
);
