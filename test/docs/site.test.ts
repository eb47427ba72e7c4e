import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { chromiumFlags, chromiumPath, freePort } from '@platform/development/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { markdownFiles, root, textOf } from './markdown-files.ts';

const site = join(root, 'tools/docs-site');
const output = mkdtempSync(join(tmpdir(), 'docs-site-'));
afterAll(() => rmSync(output, { recursive: true }));

/** The built pages, as paths from the root of the site, with their HTML. */
const pages = new Map<string, string>();

// Fails at a link to a page that does not exist.
beforeAll(async () => {
  await promisify(execFile)(join(site, 'node_modules/.bin/vitepress'), ['build', '.', '--outDir', output], {
    cwd: site,
    timeout: 400_000,
  });
  for (const path of readdirSync(output, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.html')) pages.set(path, readFileSync(join(output, path), 'utf8'));
}, 420_000);

it('has every page of docs/', () => {
  const expected = markdownFiles()
    .filter((page) => page.startsWith('docs/'))
    .map((page) => page.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'));
  expect([...pages.keys()].sort()).toEqual(expect.arrayContaining(expected));
});

it('leads from every link to a page and to a heading of it', () => {
  const broken: string[] = [];
  for (const [path, html] of pages) {
    for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      if (/^(?:https?:|mailto:)/.test(href)) continue;
      const [target = '', anchor] = href.split('#');
      const found = pages.get(target === '' ? path : pathOf(path, target));
      const hasAnchor = !anchor || found?.includes(`id="${decodeURIComponent(anchor)}"`);
      if (found === undefined || !hasAnchor) broken.push(`${path}: ${href}`);
    }
  }
  expect(broken).toEqual([]);
});

it('loads nothing from other origins', () => {
  const foreign: string[] = [];
  const look = (path: string, text: string, pattern: RegExp) => {
    for (const [whole] of text.matchAll(pattern)) foreign.push(`${path}: ${whole}`);
  };
  for (const [path, html] of pages) {
    if (path === '404.html') continue;
    look(path, html, /<(?:script|link|img|iframe|source)\b[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g);
    if (!html.includes(`http-equiv="Content-Security-Policy" content="default-src 'self';`))
      foreign.push(`${path}: may load anything, it has no content security policy`);
  }
  for (const name of readdirSync(join(output, 'assets')).filter((each) => each.endsWith('.css')))
    look(
      name,
      readFileSync(join(output, 'assets', name), 'utf8'),
      /(?:url\(|@import )["']?(?:https?:)?\/\/[^)]*/g,
    );
  expect(foreign).toEqual([]);
});

// Needs Debian's package chromium, which not every machine can install.
const describeWhereInstalled = existsSync(chromiumPath) ? describe : describe.skip;

describeWhereInstalled('in Chromium (skipped where Debian’s chromium is missing)', () => {
  const faults: string[] = [];
  let address: string;
  let server: ChildProcess;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    const options = [
      'preview',
      '--outDir',
      output,
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--strictPort',
    ];
    server = spawn(join(site, 'node_modules/.bin/vite'), options, {
      cwd: site,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(server.stdout as NodeJS.ReadableStream, 'data');
    browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumFlags] });
    page = await browser.newPage();
    // A request to another origin breaks the content security policy, which is an error of the console.
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !request.url().startsWith('data:'))
        faults.push(request.url());
    });
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    server.kill();
    await once(server, 'exit');
  });

  it('draws every diagram', async () => {
    const withDiagrams = markdownFiles().filter(
      (path) => /^```mermaid$/m.test(textOf(path)) && path.startsWith('docs/'),
    );
    expect(withDiagrams.length).toBeGreaterThan(5);
    for (const path of withDiagrams) {
      await page.goto(`${address}/${path.replace(/\.md$/, '.html')}`);
      await page.locator('.diagram svg').first().waitFor();
    }
    expect(faults).toEqual([]);
  }, 120_000);

  it('finds a page by its words', async () => {
    await page.goto(`${address}/docs/`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('.search-input').fill('deletion blockers');
    await page.locator('.results .result').first().waitFor();
    expect(faults).toEqual([]);
  }, 60_000);
});

/** The file of a link on a page. */
function pathOf(page: string, target: string): string {
  const path = target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(page), target);
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}
