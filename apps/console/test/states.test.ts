import { people, WholeApi } from '@platform/api/testing';
import type { Page, Response, Route } from 'playwright-core';
import { ConsoleBrowser, describeWhereInstalled, expectStateAccessible } from './console-browser.ts';
import { makeFarm, makeSubscription, tractorsPage } from './farm.ts';
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

  it.each(pages)(
    '%s shows that it loads, what failed, that nothing is there, and that the connection is lost',
    async (name, path, text) => {
      // Without TLS the Kubernetes API gives no kubeconfig: the page of settings asks.
      const page =
        name === 'settings'
          ? await console.open('admin', '/nowhere', { allow: [404], cuts: true })
          : await console.tab('admin', { allow: [500], cuts: true });
      const main = page.getByRole('main');
      const server = await ScriptedServer.before(page, requestsOf(name));
      if (!ownContent.has(name)) {
        server.answer = 'never';
        await page.goto(`${api.publicUrl}/console${placed(path)}`);
        await main.getByText('Loading').first().waitFor();
        expect(await main.getByRole('heading', { level: 1 }).count()).toBe(1);
        expect(await main.getByRole('alert').count()).toBe(0);
        await expectStateAccessible(page, 'loading', name);

        await server.answerBy('failure');
        const alert = main.getByRole('alert').first();
        await alert.getByText('Something failed').waitFor();
        await alert.getByText(requestOfTheTest).waitFor();
        await expectStateAccessible(page, 'error', name);
        await server.answerBy('itself');
        const content = main.getByText(text).first();
        const retry = main.getByRole('button', { name: 'Retry' });
        expect(await retry.count()).toBeGreaterThan(0);
        // A part that is read again may show another one that failed.
        do {
          await page.evaluate(clickEveryRetry);
          await content.or(retry.first()).first().waitFor();
        } while ((await retry.count()) > 0);
        await content.waitFor();
        expect(await main.getByRole('alert').count()).toBe(0);
      }
      const nothing = whenEmpty[name];
      if (nothing !== undefined) {
        await server.answerBy('nothing');
        await console.go(page, placed(path));
        await main.getByText(nothing).first().waitFor();
        await expectStateAccessible(page, 'empty', name);
      }
      await server.answerBy('itself');
      await console.go(page, placed(path));
      await main.getByText(text).first().waitFor();
      await page.context().setOffline(true);
      await main.getByText('Not connected since').waitFor();
      await main.getByText(text).first().waitFor();
      expect(await main.getByRole('alert').count()).toBe(0);
      await expectStateAccessible(page, 'disconnected', name);
      await page.context().setOffline(false);
      await main.getByText('Not connected since').waitFor({ state: 'detached' });
      await main.getByText(text).first().waitFor();
      expect(await server.leave()).toEqual([]);
    },
  );

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

  it('waits for a proxy that does not reach the platform, and lists again on demand after a failure', async () => {
    const list = /\/tractors\/acme\/hill\?.*limit=100$/;
    const page = await console.open('admin', `${tractorsPage}/acme/hill`, {
      allow: [500, 502],
      before: (one) => one.route(list, (route) => route.fulfill({ status: 502, body: 'Bad gateway' })),
    });
    await page.getByText('retrying in').waitFor();
    await page.unroute(list);
    await page.getByRole('link', { name: 'big-red' }).waitFor();
    await page.route(list, fail);
    await page.getByLabel('Labels, Enter applies').fill('tier');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Something failed').waitFor();
    await page.unroute(list);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('link', { name: 'big-red' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('says when to try again, as far as the answer does', async () => {
    const busy = {
      status: 503,
      headers: { 'Retry-After': '120' },
      json: { title: 'Too busy', status: 503, code: 'unavailable' },
    };
    const page = await console.open('admin', `${tractorsPage}/acme/hill/big-red?tab=history`, {
      allow: [503],
      before: (one) => one.route(/\/history\?/, (route) => route.fulfill(busy)),
    });
    await page.getByRole('alert').getByText('try again in 120 s').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Changes', { exact: true }).waitFor();
  });

  it('goes on by itself when the platform could not be reached from the start', async () => {
    const page = await console.open('admin', '', {
      cuts: true,
      before: (one) => one.route('**/api/**', (route) => route.abort()),
    });
    await page.getByText('Not connected since').waitFor();
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    await page.unrouteAll();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
  });
});

const clickEveryRetry = `for (const button of document.querySelectorAll('main button')) {
  if (button.textContent === 'Retry') button.click();
}`;

const requestOfTheTest = 'request-of-the-test';

/** How the requests of a page are answered: not until later, by a failure, without the items of lists, or by the server itself. */
type Answer = 'never' | 'failure' | 'nothing' | 'itself';

/** Stands between a page and the server. */
class ScriptedServer {
  answer: Answer = 'itself';
  readonly #page: Page;
  readonly #waiting: Route[] = [];
  readonly #faults: string[] = [];

  private constructor(page: Page) {
    this.#page = page;
  }

  static async before(page: Page, requests: RegExp): Promise<ScriptedServer> {
    const server = new ScriptedServer(page);
    page.on('response', server.#note);
    await page.route(requests, (route) => server.#answer(route));
    return server;
  }

  /** Leaves the page to the server, and answers what failed that was not told to fail. */
  async leave(): Promise<readonly string[]> {
    this.#page.off('response', this.#note);
    await this.#page.unrouteAll();
    return this.#faults;
  }

  /** Answers the requests that wait in this way, and those to come. */
  async answerBy(answer: Answer): Promise<void> {
    this.answer = answer;
    // Some of them were given up meanwhile.
    for (const route of this.#waiting.splice(0)) await this.#answer(route).catch(() => undefined);
  }

  readonly #note = async (response: Response) => {
    if (response.status() < 500) return;
    if ((await response.headerValue('x-request-id')) !== requestOfTheTest) this.#faults.push(response.url());
  };

  async #answer(route: Route): Promise<unknown> {
    switch (this.answer) {
      case 'never':
        return this.#waiting.push(route);
      case 'failure':
        return fail(route);
      case 'nothing':
        return empty(route);
      default:
        return route.fallback();
    }
  }
}

async function fail(route: Route): Promise<void> {
  const title = 'Something failed';
  await route.fulfill({
    status: 500,
    contentType: 'application/problem+json',
    headers: { 'X-Request-Id': requestOfTheTest },
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
