import { people, WholeApi } from '@platform/api/testing';
import type { Page, Route } from 'playwright-core';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, makeSubscription } from './farm.ts';
import { pages } from './pages.ts';
import { makeTenants } from './tenants.ts';

const themes = ['light', 'dark'] as const;
/** Everything that pages ask but for who is logged in, and everything but for that and which kinds there are. */
const anything = /\/api\/v1\/(?!auth\/me$)/;
const content = /\/api\/v1\/(?!auth\/me$|resources\?)/;
/** Pages that need nothing but the kinds; a new resource can be written without the help of its schema. */
const ofKinds = new Set(['kinds', 'new']);
const requestsOf = (name: string) => (ofKinds.has(name) ? anything : content);
const forbidden = /You may not .*, or it does not exist/;

/** Pages that ask the API for nothing of their own. */
const ownContent = new Set(['settings', 'missing', 'who']);

/** The pages that a visitor without rights sees, where they are not a refusal. */
const ofVisitor: Readonly<Record<string, string>> = {
  home: 'Ask an operator for a role binding',
  tenants: 'No projects yet',
  teams: 'No teams yet',
  who: 'Path of the request',
  sessions: 'No session is listed',
  settings: 'npm install --global',
  missing: 'The console has no such page',
};

/** The pages of a user who may see acme alone, where they differ from those of operators; null is a refusal. */
const ofBound: Readonly<Record<string, string | null>> = {
  home: 'below one resource by the binding members',
  new: 'You may not create tractors here',
  tenants: 'No projects yet',
  teams: 'No teams yet',
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

/** Pages of lists, and what they say when there is nothing. */
const whenEmpty: Readonly<Record<string, string>> = {
  home: 'Nothing needs attention',
  table: 'No tractors here',
  'table-empty': 'No resource matches the filters',
  'resource-status': 'No controller has reported',
  'resource-explain': 'Nothing depends on it',
  removed: 'within the retention',
  tenants: 'No projects yet',
  teams: 'No teams yet',
  organizations: 'No organizations yet',
  organization: 'None that you may see',
  team: 'None that you may see',
  environments: 'No environments yet',
  deployments: 'No deployments yet',
  accounts: 'No service accounts yet',
  extensions: 'No extensions yet',
  logins: 'No logins yet',
  environment: 'No deployment runs in this environment',
  access: 'No bindings yet',
  roles: 'No role that you may see',
  audit: 'No record matches the filters',
  collector: 'The collector has nothing to do',
  subscriptions: 'No subscriptions yet',
  sessions: 'No session is listed',
};

describeWhereInstalled('the states of every page (skipped where Debian’s chromium is missing)', () => {
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

  async function judge(page: Page, state: string, name: string): Promise<void> {
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await look(page, `state-${name}-${state}-${theme}`);
      await expectAccessible(page, theme === 'light' ? 'all' : 'colors');
    }
  }

  describe('for a visitor without rights', () => {
    it.each(pages)('%s', async (name, path) => {
      const page = await console.open('stranger', placed(path), { allow: [400, 403, 404] });
      const main = page.getByRole('main');
      await main
        .getByText(ofVisitor[name] ?? forbidden)
        .first()
        .waitFor();
      // Not even what a table or a resource would show.
      expect(await main.textContent()).not.toMatch(/M-120|farm-hook|Land with machines|repo:acme/);
      expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
      await judge(page, 'visitor', name);
    });
  });

  describe('for somebody who may see one organization', () => {
    it.each(pages)('%s', async (name, path, text) => {
      const page = await console.open('member', placed(path), { allow: [400, 403, 404] });
      const main = page.getByRole('main');
      const expected = name in ofBound ? ofBound[name] : text;
      await main
        .getByText(expected ?? forbidden)
        .first()
        .waitFor();
      expect(await main.textContent()).not.toMatch(/globex|blue-one|no such role/);
      expect(await page.getByRole('link', { name: 'Collector' }).count()).toBe(0);
      await judge(page, 'bound', name);
    });
  });

  describe('while the answers take their time', () => {
    it.each(pages.filter(([name]) => !ownContent.has(name)))('%s', async (name, path) => {
      const hang = (page: Page) => page.route(requestsOf(name), () => undefined);
      const page = await console.open('admin', placed(path), { before: hang });
      const main = page.getByRole('main');
      await main.getByText('Loading').first().waitFor();
      expect(await main.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await main.getByRole('alert').count()).toBe(0);
      await judge(page, 'loading', name);
    });
  });

  describe('when requests fail', () => {
    it.each(pages.filter(([name]) => !ownContent.has(name)))('%s', async (name, path) => {
      const page = await console.open('admin', placed(path), {
        allow: [500],
        before: (one) => one.route(requestsOf(name), fail),
      });
      const alert = page.getByRole('main').getByRole('alert').first();
      await alert.getByText('Something failed').waitFor();
      await alert.getByText('request-of-the-test').waitFor();
      await judge(page, 'error', name);
    });
  });

  describe('when nothing is there', () => {
    it.each(Object.entries(whenEmpty))('%s', async (name, text) => {
      const path = pages.find(([one]) => one === name)?.[1] ?? '';
      const page = await console.open('admin', placed(path), { before: (one) => one.route(content, empty) });
      await page.getByRole('main').getByText(text).first().waitFor();
      await judge(page, 'empty', name);
    });
  });

  describe('when the connection is lost', () => {
    it.each(pages)('%s keeps what it shows, says so, and goes on', async (name, path, text) => {
      const page = await console.open('admin', placed(path), { allow: [404], cuts: true });
      const main = page.getByRole('main');
      await main.getByText(text).first().waitFor();
      await page.context().setOffline(true);
      await main.getByText('Not connected since').waitFor();
      await main.getByText(text).first().waitFor();
      expect(await main.getByRole('alert').count()).toBe(0);
      await judge(page, 'disconnected', name);
      await page.context().setOffline(false);
      await main.getByText('Not connected since').waitFor({ state: 'detached' });
      await main.getByText(text).first().waitFor();
    });
  });

  it('says that it cannot be used while the platform fails from the start, and goes on', async () => {
    const page = await console.open('admin', '', {
      allow: [500],
      before: (one) => one.route('**/api/v1/auth/me', fail),
    });
    await page.getByRole('alert').getByText('Something failed').waitFor();
    await judge(page, 'error', 'shell');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  });
});

async function fail(route: Route): Promise<void> {
  const title = 'Something failed';
  await route.fulfill({
    status: 500,
    contentType: 'application/problem+json',
    headers: { 'X-Request-Id': 'request-of-the-test' },
    body: JSON.stringify({ type: 'about:blank', title, status: 500, code: 'internal' }),
  });
}

/** Answers every list as the server does, without its items. */
async function empty(route: Route): Promise<void> {
  const { searchParams } = new URL(route.request().url());
  if (route.request().method() !== 'GET' || searchParams.has('watch')) return route.fallback();
  const response = await route.fetch();
  const body = await response.json().catch(() => null);
  if (body === null) return route.fulfill({ response });
  for (const list of ['items', 'dependents']) if (Array.isArray(body[list])) body[list] = [];
  delete body.continue;
  delete body.metadata?.continue;
  await route.fulfill({ response, json: body });
}

/** Lets the member see what is in acme, and nothing else. */
async function bindMember(api: WholeApi): Promise<void> {
  const resources = '/api/v1/resources/platform.dev/v1alpha1';
  const { body } = await api.as('operator', 'get', `${resources}/organizations/acme`).expect(200);
  const acme = { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization', name: 'acme' };
  await api
    .as('operator', 'post', `${resources}/rolebindings`)
    .send({
      ...{ apiVersion: 'platform.dev/v1alpha1', kind: 'RoleBinding', metadata: { name: 'members' } },
      spec: {
        ...{ roleRef: { name: 'viewer' }, subjects: [{ kind: 'User', name: people.member }] },
        scope: { ...acme, uid: body.metadata.uid },
      },
    })
    .expect(201);
}
