import { readFileSync } from 'node:fs';
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

    it('exports the audit records of a filter', async () => {
      const page = await console.open('operator', '/ops/audit?action=resource.created&kind=Organization');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export as NDJSON' }).click(),
      ]);
      const lines = readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\n');
      expect(lines.map((line) => JSON.parse(line).resource.name)).toEqual(['globex', 'acme', 'default']);
    });

    it('offers no filters and no export of audit records to somebody who may not read them', async () => {
      const page = await console.open('member', '/ops/audit', { allow: [403] });
      await page
        .getByText('You may not read audit records')
        .or(page.getByText('not allowed'))
        .first()
        .waitFor();
      expect(await page.getByRole('button', { name: 'Export as NDJSON' }).count()).toBe(0);
      expect(await page.locator('main input').count()).toBe(0);
      await look(page, 'audit-refused');
    });

    it('ends every session of its user, after a question', async () => {
      const page = await console.open('operator', '/ops/sessions', { allow: [503] });
      await page.getByRole('button', { name: 'Sign me out everywhere' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('also this one').waitFor();
      await expectAccessible(page);
      await page.route('**/sign-out', (route) =>
        route.fulfill({ status: 503, json: { title: 'Not now', status: 503, code: 'unavailable' } }),
      );
      await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
      await dialog.getByRole('alert').getByText('Not now').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    it('says what the end of a session does before it ends it', async () => {
      const [createdAt, expiresAt] = ['2026-01-01T12:00:00.000Z', '2026-01-02T12:00:00.000Z'];
      const session = { id: 's-1', user: 'ann@example.dev', userAgent: 'platform-cli', createdAt, expiresAt };
      const own = { ...session, id: 's-2', user: 'op@example.dev', expiresAt: '2126-01-02T12:00:00.000Z' };
      const ended: unknown[] = [];
      const page = await console.open('operator', '/ops/sessions', {
        before: async (one) => {
          // Sessions of tests are signed and not logged in, so that no list has them.
          await one.route('**/api/v1/auth/sessions?*', (route) =>
            route.fulfill({
              json: { items: route.request().url().includes('current=') ? [own] : [session, own] },
            }),
          );
          await one.route('**/api/v1/auth/revoke', (route) => {
            ended.push(route.request().postDataJSON());
            return route.fulfill({ json: {} });
          });
        },
      });
      const mine = page.getByRole('row').filter({ hasText: 'this session' });
      await mine.getByRole('button', { name: 'End… the session of op@example.dev' }).click();
      await page.getByRole('dialog').getByText('you have to log in again').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'End… the session of ann@example.dev' }).click();
      await page.getByText('platform-cli is logged out within a second').waitFor();
      await look(page, 'session-end');
      await expectAccessible(page);
      expect(ended).toEqual([]);
      await page.getByRole('button', { name: 'End the session', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(ended).toEqual([{ session_id: 's-1' }]);
    });

    it('gives the commands of the command line and of kubectl, and the downloads', async () => {
      const page = await console.open('operator', '/settings', { allow: [404] });
      await page.getByText(`platform login --url ${api.publicUrl}`, { exact: true }).waitFor();
      await page.getByText('kubectl needs TLS').waitFor();
      await page.getByRole('region', { name: 'Downloads' }).waitFor();
      await page.getByLabel('Theme').selectOption('dark');
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    });

    it('tells somebody without a role who they are, what is theirs and whom to ask', async () => {
      const page = await console.open('stranger', '', { allow: [403] });
      await page.getByText('Ask an operator for a role binding').waitFor();
      await page.getByText('You belong to no project').waitFor();
      await look(page, 'home-stranger');
      await expectAccessible(page);
    });

    it('shows a member the roles that they have, and what they may see', async () => {
      const page = await console.open('member', '');
      await page.getByText('by the binding members').waitFor();
      await page.getByRole('region', { name: 'Resources' }).getByRole('link', { name: 'tractors' }).waitFor();
      await look(page, 'home-member');
      await expectAccessible(page);
    });

    it('counts for somebody with a narrow role the kinds that they may list, and no others', async () => {
      const create = (plural: string, kind: string, name: string, spec: object) =>
        api
          .as('operator', 'post', `/api/v1/resources/platform.dev/v1alpha1/${plural}`)
          .send({ apiVersion: 'platform.dev/v1alpha1', kind, metadata: { name }, spec })
          .expect(201);
      const email = 'narrow@example.dev';
      const rule = { apiGroups: ['farm.example.dev'], resources: ['tractors'], verbs: ['list'] };
      await create('roles', 'Role', 'lister', { rules: [rule] });
      await create('rolebindings', 'RoleBinding', 'narrow', {
        roleRef: { name: 'lister' },
        subjects: [{ kind: 'User', name: email }],
      });
      const uid = '0b0e7c3e-7d0c-4b53-9d4c-5c1f8f6a2d11';
      const page = await console.open({ uid, email }, '', { allow: [403] });
      const resources = page.getByRole('region', { name: 'Resources' });
      await resources.getByRole('listitem').filter({ hasText: 'tractors' }).getByText('3').waitFor();
      expect(await resources.getByRole('listitem').count()).toBe(1);
    });

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
        ['logins', 'No logins yet'],
      ] as const) {
        await console.go(page, `/tenants/shop?tab=${tab}`);
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
