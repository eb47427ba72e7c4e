import { people, WholeApi } from '@platform/api/testing';
import type { Page, Route } from 'playwright-core';
import { ConsoleBrowser, describeWhereInstalled, expectStateAccessible } from './console-browser.ts';
import { makeFarm, makeSubscription } from './farm.ts';
import { pages } from './pages.ts';
import { makeTenants } from './tenants.ts';

/** Everything that pages ask but for who is logged in, and everything but for that and which kinds there are. */
const anything = /\/api\/v1\/(?!auth\/me$)/;
const content = /\/api\/v1\/(?!auth\/me$|resources\?)/;
/** Pages that need nothing but the kinds; a new resource can be written without the help of its schema. */
const ofKinds = new Set(['kinds', 'new', 'new-unplaced']);
const requestsOf = (name: string) => (ofKinds.has(name) ? anything : content);
/** Pages that ask the API for nothing of their own. */
const ownContent = new Set(['settings', 'missing', 'who']);

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
  });

  describe('while the answers take their time', () => {
    it.each(pages.filter(([name]) => !ownContent.has(name)))('%s', async (name, path) => {
      const hang = (page: Page) => page.route(requestsOf(name), () => undefined);
      const page = await console.open('admin', placed(path), { before: hang });
      const main = page.getByRole('main');
      await main.getByText('Loading').first().waitFor();
      expect(await main.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await main.getByRole('alert').count()).toBe(0);
      await expectStateAccessible(page, 'loading', name);
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
      await expectStateAccessible(page, 'error', name);
    });
  });

  describe('when nothing is there', () => {
    it.each(Object.entries(whenEmpty))('%s', async (name, text) => {
      const path = pages.find(([one]) => one === name)?.[1] ?? '';
      const page = await console.open('admin', placed(path), { before: (one) => one.route(content, empty) });
      await page.getByRole('main').getByText(text).first().waitFor();
      await expectStateAccessible(page, 'empty', name);
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
      await expectStateAccessible(page, 'disconnected', name);
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
    await expectStateAccessible(page, 'error', 'shell');
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
