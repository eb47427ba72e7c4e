import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PersonName, WholeApi } from '@platform/api/testing';
import { chromiumFlags, chromiumPath, timeoutFactor } from '@platform/development/testing';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';

/** Needs Debian's package chromium, which not every machine can install. */
export const describeWhereInstalled = existsSync(chromiumPath) ? describe : describe.skip;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Where screenshots go, for a person to look at; nowhere without it. */
const screenshots = process.env['PLATFORM_TEST_SCREENSHOTS'];

declare global {
  /** Called when a test fails; see `packages/development/jest/environment.mjs`. */
  var tellOfFailure: ((test: string) => Promise<void>) | undefined;
}

/** How long Playwright waits for what a page is to show; it has this limit by itself, too. */
const usualWaitMs = 30_000;
/** Characters of the text of a page that a failed test shows, at most. The menus come first and say nothing. */
const mostText = 1_000;

export type Theme = 'light' | 'dark';

/** Who opens a page: a person, or a visitor who is not logged in. */
type Visitor =
  | PersonName
  | { readonly uid: string; readonly email: string; readonly [claim: string]: unknown }
  | null;

interface PageOptions {
  readonly theme?: Theme;
  readonly width?: number;
  /** Statuses of answers that the test provokes; the browser reports each as an error. */
  readonly allow?: readonly number[];
  /** Errors of scripts that the test provokes. */
  readonly provokes?: RegExp;
  /** Whether the test cuts requests off, which the browser reports, too. */
  readonly cuts?: boolean;
  /** Called before the page is opened. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/** A page without content: it asks the API for nothing of its own. */
const nowhere = '/nowhere';

/** One Chromium for a file; each test opens pages as somebody, and fails for every fault that the browser reports. */
export class ConsoleBrowser {
  readonly #api: WholeApi;
  readonly #faults: string[] = [];
  readonly #contexts: BrowserContext[] = [];
  readonly #tabs = new Map<Visitor, Page>();
  readonly #unanswered = new Set<string>();
  #browser: Browser | undefined;

  /** Call it at the top of a `describe`, after the API. */
  constructor(api: WholeApi) {
    this.#api = api;
    beforeAll(async () => {
      // In a process of its own: the bundler does not run inside of jest.
      execFileSync(process.execPath, ['tools/build/main.mjs', 'console'], { cwd: root, stdio: 'inherit' });
      this.#browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumFlags] });
      globalThis.tellOfFailure = (test) => this.#tell(test);
    }, 120_000);
    afterEach(async () => {
      for (const context of this.#contexts.splice(0)) await context.close();
      expect(this.#faults.splice(0)).toEqual([]);
    });
    afterAll(() => this.#browser?.close());
  }

  /** Opens a page of the console in a browser of its own, which the test closes. */
  async open(person: Visitor, path: string, options: PageOptions = {}): Promise<Page> {
    const page = await this.#open(person, path, options);
    this.#contexts.push(page.context());
    return page;
  }

  /**
   * The tab of a person, which stays open for the next tests: a browser that has the scripts needs half the time. A test that fails
   * closes it. `options` are those of its first test.
   */
  async tab(person: Visitor, options: PageOptions = {}): Promise<Page> {
    const known = this.#tabs.get(person);
    if (known !== undefined) return known;
    const page = await this.#open(person, nowhere, options);
    this.#tabs.set(person, page);
    return page;
  }

  /** Goes to a page as a link does, so that nothing is loaded again; by way of a page without content, whose texts are awaited by no test. */
  async go(page: Page, path: string): Promise<void> {
    const push = (to: string) =>
      page.evaluate(`history.pushState({}, '', ${JSON.stringify(`/console${to}`)})`);
    const left = page.getByRole('heading', { name: 'The console has no such page' });
    await push(nowhere);
    await left.waitFor();
    if (path === nowhere) return;
    await push(path);
    await left.waitFor({ state: 'detached' });
  }

  async #open(
    person: Visitor,
    path: string,
    { theme = 'light', width = 1280, allow = [], provokes, cuts = false, before }: PageOptions,
  ): Promise<Page> {
    if (this.#browser === undefined) throw new Error('the browser runs only inside of tests');
    const { publicUrl } = this.#api;
    const context = await this.#browser.newContext({
      viewport: { width, height: width < 600 ? 780 : 900 },
      colorScheme: theme,
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(usualWaitMs * timeoutFactor);
    if (person !== null) {
      const value = this.#api.session(person);
      await context.addCookies([{ name: 'platform_session', value, url: publicUrl }]);
    }
    const page = await context.newPage();
    // Violations of the content security policy are errors of the console, too.
    page.on('console', (message) => {
      const text = message.text();
      const status = /status of (\d{3})/.exec(text)?.[1];
      if (cuts && text.includes('net::ERR_')) return;
      if (provokes?.test(text) === true) return;
      if (message.type() === 'error' && !allow.includes(Number(status))) this.#faults.push(text);
    });
    page.on('pageerror', (error) => this.#faults.push(String(error)));
    const isAnswered = (request: Request) => this.#unanswered.delete(`${request.method()} ${request.url()}`);
    page.on('requestfinished', isAnswered);
    page.on('requestfailed', isAnswered);
    page.on('request', (request) => {
      const url = request.url();
      this.#unanswered.add(`${request.method()} ${url}`);
      if (!url.startsWith(`${publicUrl}/`) && !url.startsWith('data:')) this.#faults.push(`asked ${url}`);
    });
    await before?.(page);
    await page.goto(`${publicUrl}/console${path}`);
    return page;
  }

  /** Prints what the pages showed when a test failed, and what they were waiting for. */
  async #tell(test: string): Promise<void> {
    // The next test begins with new tabs.
    this.#contexts.push(...[...this.#tabs.values()].map((page) => page.context()));
    this.#tabs.clear();
    for (const page of this.#contexts.flatMap((context) => context.pages())) {
      const shown = await page.evaluate('document.body.innerText').then(String, String);
      const end = shown.replace(/\s*\n\s*/g, ' | ').slice(-mostText);
      process.stderr.write(`${[`${test}: ${page.url()}`, end, ...this.#faults].join('\n')}\n`);
    }
    process.stderr.write(`not answered: ${[...this.#unanswered].join(', ')}\n`);
  }
}

/** The rules of axe: all of WCAG 2.2 AA and good practice, or those that depend on colors alone. */
const axeRules = {
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  colors: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/** Fails for everything that axe finds. The script is evaluated and not loaded, so the policy of the page stays. */
export async function expectAccessible(page: Page, rules: keyof typeof axeRules = 'all'): Promise<void> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(readFileSync(axe, 'utf8'));
  // Without selectors and the rules that are met: they take most of the time, and only violations are shown.
  const options = { runOnly: axeRules[rules], resultTypes: ['violations'], selectors: false };
  const violations = await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then((results) =>
    results.violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`);
  expect(violations).toEqual([]);
}

/**
 * Looks at a page in one of its states, and fails for everything that axe finds. Only the first page is looked at in both themes: the
 * others show their state in the same way, and matrix.test.ts has every page in the dark theme.
 */
export async function expectStateAccessible(page: Page, state: string, name: string): Promise<void> {
  await look(page, `state-${name}-${state}-light`);
  await expectAccessible(page);
  if (name !== 'home' && name !== 'shell') return;
  await page.emulateMedia({ colorScheme: 'dark' });
  await look(page, `state-${name}-${state}-dark`);
  await expectAccessible(page, 'colors');
  await page.emulateMedia({ colorScheme: 'light' });
}

/** The pictures of docs/console.md, which `UPDATE_DOCS=1` makes again. */
const documented = new Set([
  'table-light-1280',
  'resource-graph-dark-1280',
  'editor-conflict',
  'deletion-plan',
]);

/** Whether somebody asked for measured figures: only then need they be good. */
export const keepsFigures = screenshots !== undefined;

/** Keeps measured figures with the screenshots, when somebody asked for them. */
export function keepFigures(name: string, figures: object): void {
  if (screenshots === undefined) return;
  writeFileSync(join(screenshots, `${name}.json`), `${JSON.stringify(figures, null, 2)}\n`);
}

/** Keeps what the page looks like, when somebody asked for it. */
export async function look(page: Page, name: string): Promise<void> {
  if (process.env['UPDATE_DOCS'] === '1' && documented.has(name)) {
    await page.setViewportSize({ width: 1100, height: 560 });
    // A graph fits itself into its new size in the next frames.
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${root}docs/console/${name}.png` });
    await page.setViewportSize({ width: 1280, height: 900 });
  }
  if (screenshots === undefined) return;
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}
