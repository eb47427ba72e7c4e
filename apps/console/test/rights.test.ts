import { people, WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectStateAccessible } from './console-browser.ts';
import { makeFarm, makeSubscription } from './farm.ts';
import { pages } from './pages.ts';
import { makeTenants } from './tenants.ts';

const forbidden = /You may not .*, or it does not exist/;

/** The pages that a visitor without rights sees, where they are not a refusal. */
const ofVisitor: Readonly<Record<string, string>> = {
  home: 'Ask an operator for a role binding',
  tenants: 'You belong to no project',
  teams: 'You belong to no team',
  who: 'Path of the request',
  sessions: 'No session is listed',
  settings: 'npm install --global',
  missing: 'The console has no such page',
};

/** The pages of a user who may see acme alone, where they differ from those of operators; null is a refusal. */
const ofBound: Readonly<Record<string, string | null>> = {
  home: 'below one resource by the binding members',
  new: 'You may not create tractors here',
  tenants: 'You belong to no project',
  teams: 'You belong to no team',
  organizations: 'acme',
  access: 'members',
  roles: 'No role that you may see',
  subscriptions: 'No subscriptions yet',
  ...Object.fromEntries(
    ['team', 'project', 'environments', 'deployments', 'accounts', 'extensions', 'domains', 'logins']
      .concat(['environment', 'deployment', 'account', 'extension', 'doctor'])
      .concat(['audit', 'audit-empty', 'collector', 'definition'])
      .map((name) => [name, null]),
  ),
};

describeWhereInstalled('what people with few rights see (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi(() => ({ auth: { operator_users: [people.operator, people.admin] } }));
  const console = new ConsoleBrowser(api);
  const made: Record<string, string> = {};
  const placed = (path: string) => path.replace(/\{(\w+)\}/g, (_, name) => made[name] ?? '');
  beforeAll(async () => {
    await makeFarm(api);
    Object.assign(made, await makeTenants(api));
    await makeSubscription(api);
    await bindMember(api);
  });

  describe('for a visitor without rights', () => {
    it.each(pages)('%s', async (name, path) => {
      const page = await console.tab('stranger', { allow: [400, 403, 404] });
      await console.go(page, placed(path));
      const main = page.getByRole('main');
      await main
        .getByText(ofVisitor[name] ?? forbidden)
        .first()
        .waitFor();
      // Not even what a table or a resource would show.
      expect(await main.textContent()).not.toMatch(/M-120|farm-hook|Land with machines|repo:acme/);
      expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
      // The request that was refused has a long path.
      await page.setViewportSize({ width: 360, height: 780 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      await page.setViewportSize({ width: 1280, height: 900 });
      await expectStateAccessible(page, 'visitor', name);
    });
  });

  describe('for somebody who may see one organization', () => {
    it.each(pages)('%s', async (name, path, text) => {
      const page = await console.tab('member', { allow: [400, 403, 404] });
      await console.go(page, placed(path));
      const main = page.getByRole('main');
      const expected = name in ofBound ? ofBound[name] : text;
      await main
        .getByText(expected ?? forbidden)
        .first()
        .waitFor();
      expect(await main.textContent()).not.toMatch(/globex|blue-one|no such role/);
      expect(await page.getByRole('link', { name: 'Collector' }).count()).toBe(0);
      await expectStateAccessible(page, 'bound', name);
    });
  });
});

/** Lets the member see what is in acme, and nothing else. */
async function bindMember(api: WholeApi): Promise<void> {
  const resources = '/api/v1/resources/platform.dev/v1alpha1';
  const { body } = await api.as('operator', 'get', `${resources}/organizations/acme`).expect(200);
  const acme = { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization', name: 'acme' };
  await api
    .as('operator', 'post', `${resources}/rolebindings`)
    .send({
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'RoleBinding',
      metadata: { name: 'members' },
      spec: {
        roleRef: { name: 'viewer' },
        subjects: [{ kind: 'User', name: people.member }],
        scope: { ...acme, uid: body.metadata.uid },
      },
    })
    .expect(201);
}
