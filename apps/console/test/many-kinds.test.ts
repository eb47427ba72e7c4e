import { WholeApi } from '@platform/api/testing';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';

/** With the organizations, which the page adds, ten thousand. */
const many = 9_999;

/** Kinds in groups of a hundred, each below the first kind of its group. */
const kinds = Array.from({ length: many }, (_, index) => {
  const number = String(index).padStart(4, '0');
  const group = `g${Math.floor(index / 100)}.example.dev`;
  const parent = `Thing${String(index - (index % 100)).padStart(4, '0')}`;
  return {
    group,
    kind: `Thing${number}`,
    plural: `things${number}`,
    parent: index % 100 === 0 ? null : { apiVersion: `${group}/v1`, kind: parent },
    versions: [{ name: 'v1', served: true, storage: true }],
  };
});

/** Lets discovery answer with all of them. */
const serveKinds = (page: Page) =>
  page.route(/\/api\/v1\/resources\?/, (route) => {
    const query = new URL(route.request().url()).searchParams;
    const from = Number(query.get('continue') ?? 0);
    const to = from + Number(query.get('limit'));
    const metadata = to < many ? { continue: String(to) } : {};
    return route.fulfill({ json: { items: kinds.slice(from, to), metadata } });
  });

describeWhereInstalled('ten thousand kinds (skipped where Debian’s chromium is missing)', () => {
  const console = new ConsoleBrowser(new WholeApi());

  it('offers a few of them in the palette, and finds each by its name', async () => {
    const page = await console.open('operator', '/settings', { allow: [404], before: serveKinds });
    await page.getByText('All 10,000 kinds').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByText('50 of 10,000 kinds. Type more to find the others.').waitFor();
    expect(await page.getByRole('menuitem').count()).toBeLessThan(150);
    await look(page, 'palette-many-kinds');
    await page.keyboard.type('things9');
    await page.getByText('50 of 999 kinds.').waitFor();
    await page.keyboard.type('998');
    await page.getByRole('menuitem', { name: 'things9998' }).waitFor();
    expect(await page.getByRole('menuitem').count()).toBe(1);
    // The field names the entry that is chosen a moment after the entry is there.
    await page.evaluate(chosenIsNamed);
    await expectAccessible(page);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('new thing9997');
    await page.getByRole('menuitem', { name: 'New Thing9997' }).waitFor();
  });

  it('lists them in parts, and finds those behind the first part', async () => {
    const page = await console.open('operator', '/kinds', { before: serveKinds });
    await page.getByRole('link', { name: 'things0000', exact: true }).first().waitFor();
    const rows = page.getByRole('main').getByRole('row');
    expect(await rows.count()).toBe(201);
    await look(page, 'kinds-many');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('link', { name: 'Schema of things0398' }).waitFor();
    await page.getByRole('searchbox', { name: 'Find a kind' }).fill('thing9998');
    await page.getByRole('link', { name: 'Schema of things9998' }).waitFor();
    expect(await rows.count()).toBe(2);
    await expectAccessible(page);
  });

  it('finds one of them by its name for the list of removed resources, by keys alone', async () => {
    let pages = 0;
    const page = await console.open('operator', '/removed', {
      allow: [404],
      before: async (one) => {
        await serveKinds(one);
        one.on('request', (request) => {
          if (/\/api\/v1\/resources\?/.test(request.url())) pages += 1;
        });
      },
    });
    await page.getByRole('button', { name: /^Kind: / }).press('Enter');
    await page.getByText('50 of 10,000 kinds. Type more to find the others.').waitFor();
    // Each page is a wait before anything is shown.
    expect(pages).toBe(10);
    await look(page, 'removed-many-kinds');
    await page.keyboard.type('things9900');
    await page.getByRole('menuitem', { name: 'things9900' }).waitFor();
    await page.evaluate(chosenIsNamed);
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Kind: things9900.g99.example.dev' }).waitFor();
    await page.waitForURL(/kind=things9900\.g99\.example\.dev/);
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Kind: things9900.g99.example.dev');
  });
});

const chosenIsNamed = `new Promise((done) => {
  const look = () => {
    const id = document.activeElement.getAttribute('aria-activedescendant');
    if (document.getElementById(id) !== null) done();
    else requestAnimationFrame(look);
  };
  look();
})`;
