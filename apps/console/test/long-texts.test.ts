import { WholeApi } from '@platform/api/testing';
import type { Locator } from 'playwright-core';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, makeSubscription, subscriptions, tractors, tractorsPage } from './farm.ts';

describeWhereInstalled('long texts in the console (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(() => makeFarm(api));

  it('keeps long texts and states in sight, also on a phone', async () => {
    const label = 'x'.repeat(63);
    const finalizers = ['example.dev/hold'];
    const name = 'long-texts';
    await api
      .as('operator', 'post', `${tractors}/acme/hill`)
      .send({
        apiVersion: 'farm.example.dev/v1',
        kind: 'Tractor',
        metadata: { name, finalizers, labels: { 'example.dev/name': label } },
        spec: { model: 'Long' },
      })
      .expect(201);
    const message = 'cannot pull the image of the plough: authentication required';
    await api
      .as('operator', 'put', `${tractors}/acme/hill/${name}/status?slot=fleet.example.dev`)
      .send({ status: { observedGeneration: 0, conditions: [{ type: 'Ready', status: 'False', message }] } })
      .expect(200);
    await api.as('operator', 'delete', `${tractors}/acme/hill/${name}`).expect(202);
    const page = await console.open('operator', `${tractorsPage}/acme/hill`, { width: 360 });
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name }) });
    await row.getByText('Deleting').first().waitFor();
    expect(await row.locator('.grid-row-state').isVisible()).toBe(true);
    expect((await page.getByLabel('Labels, Enter applies').boundingBox())?.width).toBeGreaterThan(300);
    await look(page, 'table-phone');
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.reload();
    await row.getByRole('gridcell', { name: 'Deleting' }).waitFor();
    expect(await hiddenPixels(page.getByRole('grid'))).toBe(0);
    // Texts that are cut off at their column are there in full when the pointer rests on them.
    await row.getByTitle(`example.dev/name=${label}`, { exact: true }).waitFor();
    await row.getByTitle(name, { exact: true }).waitFor();
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill/${name}`);
    const condition = page.getByText(message);
    await condition.waitFor();
    expect((await condition.boundingBox())?.width).toBeGreaterThan(180);
    const chip = page.locator('.chip', { hasText: label });
    expect(await hiddenPixels(chip)).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await look(page, 'resource-phone');
    await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill/${name}?tab=explain`);
    await page.getByText('example.dev/hold').first().waitFor();
    const tab = await page.getByRole('tab', { name: 'Explain' }).boundingBox();
    expect((tab?.x ?? 360) + (tab?.width ?? 0)).toBeLessThanOrEqual(360);
    await page.getByRole('navigation', { name: 'Place' }).getByRole('link', { name: 'tractors' }).click();
    await page.getByRole('heading', { name: 'tractors', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console${tractorsPage}/acme/hill`);
  });

  it('breaks names of the greatest length on a phone, and cuts no column off for them', async () => {
    const name = 'a'.repeat(63);
    const farms = '/api/v1/resources/farm.example.dev/v1/farms';
    await api
      .as('operator', 'post', `${farms}/acme`)
      .send({ apiVersion: 'farm.example.dev/v1', kind: 'Farm', metadata: { name }, spec: {} })
      .expect(201);
    const email = `${'e'.repeat(64)}@${'d'.repeat(60)}.example.dev`;
    const create = (path: string, body: object) =>
      api.as('admin', 'post', `/api/v1/${path}`).send(body).expect(201);
    await create('teams', { name, members: [{ email, role: 'owner' }] });
    await create('projects', { name: 'p'.repeat(50), owner: { team: name } });
    const page = await console.open('admin', `/tenants/teams/${name}`, { allow: [403] });
    await page.getByText(email).waitFor();
    expect(await hiddenPixels(page.locator('.table-box'))).toBe(0);
    await page.setViewportSize({ width: 360, height: 780 });
    await page.getByRole('link', { name: 'p'.repeat(50) }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.goto(`${api.publicUrl}/console/tenants?tab=teams`);
    await page.getByRole('link', { name }).waitFor();
    expect(await hiddenPixels(page.locator('.table-box'))).toBe(0);
    await page.context().close();
    const phone = await console.open('operator', `${tractorsPage}/acme/${name}`, { width: 360 });
    await phone.getByText('No tractors here').waitFor();
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await expectAccessible(phone);
  });

  it('fits a table into a window that becomes narrow, and names its columns in full where there is room', async () => {
    const page = await console.open('operator', tractorsPage, { width: 1440 });
    await page.getByRole('link', { name: 'big-red' }).waitFor();
    for (const name of ['Organization', 'Horsepower']) {
      expect(await hiddenPixels(page.getByRole('columnheader', { name }))).toBe(0);
    }
    const left = async (cell: Locator) => (await cell.boundingBox())?.x;
    const cells = page.getByRole('row', { name: /big-red/ }).getByRole('gridcell');
    for (const [at, head] of (await page.getByRole('columnheader').all()).entries()) {
      expect(await left(cells.nth(at))).toBe(await left(head));
    }
    await page.setViewportSize({ width: 360, height: 780 });
    await page.getByRole('columnheader', { name: 'Farm' }).waitFor({ state: 'hidden' });
    expect(await hiddenPixels(page.getByRole('grid'))).toBe(0);
  });

  it('folds long annotations and many labels of a resource', async () => {
    const labels = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`label-${index}`, 'set']));
    const applied = 'kubectl.kubernetes.io/last-applied-configuration';
    const metadata = {
      name: 'described',
      labels,
      annotations: { short: 'text', [applied]: 'x'.repeat(3_000) },
    };
    await api
      .as('operator', 'post', `${tractors}/acme/hill`)
      .send({ apiVersion: 'farm.example.dev/v1', kind: 'Tractor', metadata, spec: { model: 'D' } })
      .expect(201);
    const page = await console.open('operator', `${tractorsPage}/acme/hill/described`);
    await page.getByText('short=text').waitFor();
    expect(await page.getByText('label-39=set').count()).toBe(1);
    expect(await page.getByText('label-40=set').count()).toBe(0);
    await page.getByRole('button', { name: 'Show all 60' }).click();
    await page.getByText('label-59=set').waitFor();
    const whole = page.getByText('xxxx');
    expect(await whole.isVisible()).toBe(false);
    await page.getByText(`${applied}, 3,000 characters`).click();
    await whole.waitFor();
    await look(page, 'resource-annotations');
    await expectAccessible(page);
  });

  it('has the text of a button in its middle, also where fingers need larger ones', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/big-red`, { width: 360 });
    const actions = page.getByRole('button', { name: 'Actions' });
    await actions.waitFor();
    const session = await page.context().newCDPSession(page);
    for (const [enabled, height] of [
      [false, 32],
      [true, 44],
    ] as const) {
      await session.send('Emulation.setTouchEmulationEnabled', { enabled });
      expect((await actions.boundingBox())?.height).toBe(height);
      expect(await page.evaluate(offsetOfActions)).toBeLessThan(2);
    }
    await look(page, 'resource-touch');
    await expectAccessible(page);
  });

  it('keeps the actions of a subscription in sight, however long its address is', async () => {
    await makeSubscription(api);
    await api
      .as('operator', 'patch', `${subscriptions}/farm-hook`)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ spec: { url: `https://hook.invalid/${'long/'.repeat(60)}` } }))
      .expect(200);
    const page = await console.open('operator', '/ops/subscriptions', { width: 1024 });
    await page.getByRole('button', { name: 'Suspend' }).waitFor();
    expect(await hiddenPixels(page.locator('.table-box'))).toBe(0);
    await look(page, 'subscriptions-long');
  });
});

/** How much of an element is beyond its edge. */
function hiddenPixels(element: Locator): Promise<number> {
  return element.evaluate((one) => {
    const { scrollWidth, clientWidth } = one as unknown as Record<'scrollWidth' | 'clientWidth', number>;
    return scrollWidth - clientWidth;
  });
}

/** How far the middle of the text of a button is from its own middle. */
const offsetOfActions = `{
  const button = document.querySelector('.page-head .button');
  const range = document.createRange();
  range.selectNodeContents([...button.childNodes].find((node) => node.nodeType === Node.TEXT_NODE));
  const middle = ({ top, height }) => top + height / 2;
  Math.abs(middle(range.getBoundingClientRect()) - middle(button.getBoundingClientRect()));
}`;
