import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { WholeApi } from '@platform/api/testing';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeWhereInstalled, keepFigures } from './console-browser.ts';
import { makeFarm, tractorsPage } from './farm.ts';

const files = fileURLToPath(new URL('../../api/console/', import.meta.url));
const mostKilobytes = 300;

/** Names of the scripts that a page has loaded, those of workers among them. */
async function recordScripts(page: Page, names: Set<string>): Promise<void> {
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) names.add(pathname.replace('/console/', ''));
  });
}

const kilobytes = (name: string) => gzipSync(readFileSync(files + name)).length / 1_000;

/** Notes when the text of a complete page has been painted, counted from the beginning of the navigation. */
const notePaint = (text: string) => `{
  const look = () => {
    if (!document.querySelector('main')?.textContent.includes(${JSON.stringify(text)})) requestAnimationFrame(look);
    else requestAnimationFrame(() => setTimeout(() => { window.painted = performance.now(); }));
  };
  look();
}`;

describeWhereInstalled('the first view (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(() => makeFarm(api));

  it.each([
    // Different requests until the page is complete. Ten of those of home count the resources of a kind.
    ['home', '', 'Nothing needs attention', 19],
    ['table', tractorsPage, 'big-red', 6],
  ])('of %s loads few scripts, and asks little of the API', async (name, path, text, mostRequests) => {
    const scripts = new Set<string>();
    const page = await console.open('operator', path, { before: (one) => recordScripts(one, scripts) });
    await page.getByRole('main').getByText(text).first().waitFor();
    // Files that load late by themselves count as well; streams keep the network from ever resting.
    await page.waitForTimeout(1_000);
    const loaded = [...scripts].map((one) => [one, Math.round(kilobytes(one) * 10) / 10] as const);
    const sum = loaded.reduce((total, [, size]) => total + size, 0);
    expect(loaded.map(([one]) => one).join(' ')).toContain('assets/index-');
    if (name === 'table') expect(loaded.map(([one]) => one).join(' ')).toContain('assets/table-worker-');
    expect(sum).toBeLessThan(mostKilobytes);

    await page.addInitScript(notePaint(text));
    const asked = new Set<string>();
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      searchParams.delete('cursor');
      if (pathname.startsWith('/api/')) asked.add(`${pathname}?${searchParams}`);
    });
    await page.reload();
    await page.getByRole('main').getByText(text).first().waitFor();
    const requests = [...asked];
    expect(requests.length).toBeLessThanOrEqual(mostRequests);
    const times: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      await page.reload();
      await page.getByRole('main').getByText(text).first().waitFor();
      times.push(await painted(page));
    }
    times.sort((one, other) => one - other);
    const [fastest = 0, , , median = 0] = times;
    const slowest = times.at(-1);
    keepFigures(`first-view-${name}`, { kilobytes: sum, loaded, requests, median, fastest, slowest });
  });
});

async function painted(page: Page): Promise<number> {
  for (;;) {
    const time = (await page.evaluate('window.painted ?? null')) as number | null;
    if (time !== null) return Math.round(time);
    await page.waitForTimeout(20);
  }
}
