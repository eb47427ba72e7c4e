import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WholeApi } from '@platform/api/testing';
import { timeoutFactor } from '@platform/development/testing';
import type { Page } from 'playwright-core';
import {
  ConsoleBrowser,
  describeWhereInstalled,
  expectAccessible,
  keepFigures,
  keepsFigures,
  look,
} from './console-browser.ts';
import { makeFarm, resource, tractors, tractorsPage } from './farm.ts';

const grid = `${tractorsPage}/acme/hill`;
const many = 100_000;

/** The items of pages by their first and last row; every test asks for the same ones. */
const pagesOfRows = new Map<string, string>();

function rowsAsText(from: number, to: number): string {
  const name = `${from} ${to}`;
  const text =
    pagesOfRows.get(name) ??
    JSON.stringify(Array.from({ length: to - from }, (_, index) => row(from + index)));
  pagesOfRows.set(name, text);
  return text;
}

/** Answers the pages of a list with as many rows as `count` says. */
const listServer = createServer(({ url = '' }, response) => {
  const query = new URL(url, 'http://localhost').searchParams;
  const count = Number(query.get('count'));
  const from = Number(query.get('continue') ?? 0);
  const to = Math.min(count, from + Number(query.get('limit')));
  const metadata = { cursor: query.get('cursor'), ...(to < count ? { continue: String(to) } : {}) };
  response.setHeader('Content-Type', 'application/json');
  const kind = '"apiVersion":"farm.example.dev/v1","kind":"TractorList"';
  response.end(`{${kind},"metadata":${JSON.stringify(metadata)},"items":${rowsAsText(from, to)}}`);
});

/**
 * Lets the list server answer the pages of a list, each page after the one before; watches go to the platform. The browser asks it
 * without the page noticing: so much text through the protocol of the test would take longer than the table.
 */
async function serveRows(page: Page, count: number): Promise<void> {
  let cursor = '';
  const { port } = listServer.address() as AddressInfo;
  await page.route(/\/tractors\/acme\/hill\?.*limit=/, async (route) => {
    const url = new URL(route.request().url());
    if (!url.searchParams.has('continue')) cursor = (await (await route.fetch()).json()).metadata.cursor;
    url.searchParams.set('count', String(count));
    url.searchParams.set('cursor', cursor);
    url.host = `localhost:${port}`;
    await route.continue({ url: url.href });
  });
}

function row(index: number): object {
  const number = String(index).padStart(6, '0');
  return {
    ...resource('Tractor', `t-${number}`, { model: `M-${index % 100}`, horsepower: index }),
    metadata: {
      name: `t-${number}`,
      uid: `01a20777-0000-7000-8000-000000${number}`,
      revision: 1,
      generation: 1,
      creationTimestamp: '2026-01-01T12:00:00.000Z',
      ancestors: ['acme', 'hill'],
      annotations: {},
      labels: { tier: 'field' },
      finalizers: [],
      ownerReferences: [],
    },
    status: { controllers: {} },
  };
}

/** Notes how long each frame of the browser took, and how many rows were put into the page. */
const record = `{
  let times = [];
  let last = performance.now();
  const frame = (now) => {
    times.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  let rows = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) if (node.classList?.contains('grid-row')) rows += 1;
    }
  }).observe(document.body, { childList: true, subtree: true });
  window.takeRecord = () => ({ times: times.splice(0).slice(1), rows });
}`;

/** The page has drawn the rows of a step of the scroll bar. */
const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

const turns = keepsFigures ? 300 : 100;
const pixelsOfTurn = 300;

async function turnWheel(page: Page): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await page.mouse.wheel(0, pixelsOfTurn);
}

/** The work of a page for its frames: rows and layouts as counts to hold, and times to write down. */
async function framesWhile(page: Page, act: () => Promise<void>) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const metric = async (wanted: string) => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === wanted)?.value ?? 0;
  };
  await page.evaluate(record);
  const before = { layouts: await metric('LayoutCount'), seconds: await metric('TaskDuration') };
  await act();
  const layouts = (await metric('LayoutCount')) - before.layouts;
  const spentMs = 1_000 * ((await metric('TaskDuration')) - before.seconds);
  const { times, rows } = (await page.evaluate('window.takeRecord()')) as { times: number[]; rows: number };
  const sorted = [...times].sort((one, other) => one - other);
  const tenth = (value: number) => Math.round(value * 10) / 10;
  const at = (share: number) => tenth(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  const percent = (limit: number) =>
    tenth((100 * times.filter((time) => time > limit).length) / times.length);
  return {
    frames: times.length,
    rowsBuilt: rows,
    layoutsPerFrame: tenth(layouts / times.length),
    cpuMsPerFrame: tenth(spentMs / times.length),
    median: at(0.5),
    p95: at(0.95),
    longest: at(1),
    over20Percent: percent(20),
    over50Percent: percent(50),
  };
}

const rowsInPage = (page: Page) => page.locator('.grid-row').count();

/** Megabytes of the page's own objects; those of the worker are not among them. */
async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}

describeWhereInstalled('large tables and slow networks (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(() => makeFarm(api));
  beforeAll(() => new Promise<void>((resolve) => listServer.listen(0, resolve)));
  afterAll(() => {
    listServer.closeAllConnections();
    listServer.close();
  });

  /** The tab with the table of 100,000 rows, which two tests look at, and what its page kept before. */
  const largeTable = async (): Promise<{ readonly page: Page; readonly heapBefore: number }> => {
    const page = await console.tab('operator');
    const known = heaps.get(page);
    if (known !== undefined) return { page, heapBefore: known };
    await console.go(page, '');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const heapBefore = await heap(page);
    heaps.set(page, heapBefore);
    await serveRows(page, many);
    await page.goto(`${api.publicUrl}/console${grid}`);
    await page.getByRole('link', { name: 't-000000' }).waitFor();
    await page
      .getByText('Live', { exact: true })
      .first()
      .waitFor({ timeout: 120_000 * timeoutFactor });
    await page.getByText('100,000 resources').waitFor();
    return { page, heapBefore };
  };
  /** A long empty page under the same load of the machine, to compare figures with. */
  const framesOfEmptyPage = async () => {
    const page = await console.open('operator', '');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.evaluate("document.body.replaceChildren(); document.body.style.height = '4000000px'");
    await page.bringToFront();
    return framesWhile(page, () => turnWheel(page));
  };
  const heaps = new WeakMap<Page, number>();

  it('builds each row once and lays out once a frame while 100,000 rows scroll', async () => {
    const { page } = await largeTable();
    const empty = keepsFigures ? await framesOfEmptyPage() : undefined;
    await page.bringToFront();
    await page.getByRole('grid').hover();
    const wheel = await framesWhile(page, () => turnWheel(page));
    // As a dragged scroll bar does: each step to rows that are far away.
    const jumps = await framesWhile(page, async () => {
      for (let step = 1; step <= 60; step += 1) {
        await page.evaluate(
          `{ const box = document.querySelector('[role=grid]'); box.scrollTop = box.scrollHeight * ${step / 60}; }`,
        );
        await page.evaluate(twoFrames);
      }
    });
    await page.getByRole('link', { name: 't-099999' }).waitFor();
    keepFigures('frames', { empty, wheel, jumps });
    // Times say how busy the machine is. Counts do not: each row that passes is built once, and a frame is laid out once.
    const rowHeight = 32;
    const rowsInSight = 45;
    expect(wheel.rowsBuilt).toBeLessThan((turns * pixelsOfTurn) / rowHeight + rowsInSight);
    expect(jumps.rowsBuilt).toBeLessThan(60 * rowsInSight);
    expect(wheel.layoutsPerFrame).toBeLessThan(1.5);
    expect(jumps.layoutsPerFrame).toBeLessThan(1.5);
  }, 240_000);

  it('scrolls, filters and sorts 100,000 rows with few of them in the page', async () => {
    const { page, heapBefore } = await largeTable();
    expect(await rowsInPage(page)).toBeLessThan(60);
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.getByRole('link', { name: 't-099999' }).waitFor();
    for (let steps = 0; steps < 50; steps += 1) await page.mouse.wheel(0, -20_000);
    expect(await rowsInPage(page)).toBeLessThan(60);
    await page.getByRole('searchbox').fill('t-04242');
    await page.getByText('10 of 100,000 resources').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByText('100,000 resources').waitFor();
    await page.getByRole('button', { name: 'Horsepower' }).click();
    await page.getByRole('button', { name: 'Horsepower' }).click();
    await page.keyboard.press('Tab');
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    await page.getByRole('link', { name: 't-099999' }).waitFor();
    // The rows are in the worker; what the page keeps does not grow with them.
    expect((await heap(page)) - heapBefore).toBeLessThan(20);
    await look(page, 'table-100000');
    await expectAccessible(page);
  }, 240_000);

  it('holds no more than 100,000 rows, and asks for a filter', async () => {
    const page = await console.open('operator', '');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await serveRows(page, 150_000);
    await page.goto(`${api.publicUrl}/console${grid}`);
    await page
      .getByText('Not live: too many rows')
      .first()
      .waitFor({ timeout: 120_000 * timeoutFactor });
    expect(await rowsInPage(page)).toBeLessThan(60);
    await look(page, 'table-limited');
  }, 240_000);

  it('shows its first rows over a slow network, and keeps what is typed when an answer is lost', async () => {
    const page = await console.open('operator', '', { cuts: true, allow: [409, 412] });
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 200_000,
      uploadThroughput: 200_000,
    });
    await page.goto(`${api.publicUrl}/console${grid}`);
    await page.getByRole('link', { name: 'big-red' }).waitFor();
    await page.goto(`${api.publicUrl}/console${grid}/big-red?tab=yaml`);
    await page.locator('.cm-line', { hasText: 'horsepower: 120' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('5');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    // The server has stored it, and the answer gets lost on the way.
    await page.route(/\/tractors\/uid:/, async (route) => {
      if (route.request().method() === 'GET') return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor({ state: 'attached' });
    await page.locator('.cm-line', { hasText: 'horsepower: 1205' }).waitFor();
    const { body } = await api.as('operator', 'get', `${tractors}/acme/hill/big-red`).expect(200);
    expect(body.spec.horsepower).toBe(1205);
    await page.unrouteAll({ behavior: 'wait' });
    // The event of the watch has the typed value, so nothing is left to save.
    await page.getByText('Revision 2').waitFor();
    await page.locator('.cm-line', { hasText: 'horsepower: 1205' }).waitFor();
    expect(await page.getByRole('button', { name: 'Review' }).isDisabled()).toBe(true);
  }, 120_000);
});
