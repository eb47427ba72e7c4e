import { WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, resource, tractors, tractorsPage } from './farm.ts';
import { replaceIn } from './typing.ts';

const bigRed = `${tractors}/acme/hill/big-red`;

describeWhereInstalled('the editor of the console (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(() => makeFarm(api));

  it('saves what the dry run has shown, and no digit of anything else', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/big-red?tab=yaml`, {
      allow: [409],
    });
    await replaceIn(page, 'horsepower: 120', 'horsepower: 121');
    await page.getByRole('button', { name: 'Review' }).click();
    const difference = page.getByRole('region', { name: 'Difference' });
    await difference.getByText('+   horsepower: 121').waitFor();
    await look(page, 'editor-review');
    await expectAccessible(page);
    await page.getByLabel(/^Reason/).fill('tuned');
    // A controller is faster; it writes nothing that the draft shows, so nobody is asked.
    await api
      .as('operator', 'put', `${bigRed}/status`)
      .send({ status: { ready: true } })
      .expect(200);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').waitFor({ state: 'attached' });
    const { body } = await api.as('operator', 'get', bigRed).expect(200);
    expect(body.spec).toEqual({ model: 'M-120', color: 'red', horsepower: 121 });
    expect(body.status.controllers).not.toEqual({});
  });

  it('finds out whether it saved when the answer is lost, and sends nothing twice', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/big-red?tab=yaml`, { cuts: true });
    let writes = 0;
    await page.route(/\/tractors\/uid:[^/?]+$/, async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      writes += 1;
      await route.fetch();
      return route.abort();
    });
    await replaceIn(page, 'horsepower: 121', 'horsepower: 122 # lost');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').waitFor({ state: 'attached' });
    expect(await page.getByText('The change may have been made').count()).toBe(0);
    expect(writes).toBe(1);
    const { body } = await api.as('operator', 'get', bigRed).expect(200);
    expect(body.spec.horsepower).toBe(122);
    await page.getByText('Not connected since').waitFor({ state: 'detached' });
  });

  it('tells a review whose answer is lost from a save, and asks again when a proxy answers to a save', async () => {
    const page = await console.open('operator', `${tractorsPage}/globex/lake/blue-one?tab=yaml`, {
      cuts: true,
      allow: [502],
    });
    await replaceIn(page, 'model: M-80', 'model: M-81');
    await page.route(/\?dryRun=true$/, (route) => route.abort());
    await page.getByRole('button', { name: 'Review' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('The service cannot be reached.').waitFor();
    expect(await alert.getByText('The change may have been made').count()).toBe(0);
    await page.unrouteAll();
    await page.route(/\/tractors\/uid:[^/?]+$/, async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      await route.fetch();
      await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
    });
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').waitFor({ state: 'attached' });
    expect(await alert.count()).toBe(0);
    await api
      .as('operator', 'patch', `${tractors}/globex/lake/blue-one`)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ spec: { model: 'M-80' } }))
      .expect(200);
  });

  it('shows the faults that the server finds', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/big-red?tab=yaml`, {
      allow: [400],
    });
    await replaceIn(page, 'color: red', 'color: pink');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('alert').getByText('/spec/color').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
    await look(page, 'editor-fault');
    await expectAccessible(page);
  });

  it('marks the faults of a text also when it is reviewed right after a key', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/big-red?tab=yaml`, {
      allow: [400],
    });
    const checked = page.waitForResponse(/\?dryRun=true$/);
    await replaceIn(page, 'color: red', 'color: pink');
    await page.keyboard.press('Control+s');
    await checked;
    const mark = page.locator('.cm-lintRange-error');
    await mark.waitFor();
    // The editor looks at the text itself as soon as typing rests.
    await page.waitForTimeout(500);
    expect(await mark.allInnerTexts()).toEqual(['pink']);
    await replaceIn(page, 'color: pink', 'color: green');
    await mark.waitFor({ state: 'detached' });
  });

  it('keeps what is typed when the session ends, and goes on after a login in another tab', async () => {
    const blueOne = `${tractors}/globex/lake/blue-one`;
    const page = await console.open('operator', `${tractorsPage}/globex/lake/blue-one?tab=yaml`, {
      allow: [401],
    });
    await replaceIn(page, 'model: M-80', 'model: Typed');
    const typed = page.locator('.cm-line', { hasText: 'model: Typed' });
    await page.context().clearCookies();
    const refused = page.waitForResponse((answer) => answer.status() === 401);
    await api
      .as('operator', 'patch', blueOne)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ spec: { horsepower: 81 } }))
      .expect(200);
    await refused;
    const ended = page.getByText('Your session has ended.');
    await ended.first().waitFor();
    await typed.waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('alert').getByText('then repeat this').waitFor();
    await look(page, 'editor-signed-out');
    await expectAccessible(page);
    // Who is logged in is asked again after a minute.
    await page.evaluate('Date.now = ((now) => () => now() + 120_000)(Date.now)');
    const asked = page.waitForResponse('**/api/v1/auth/me');
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: /^Delete…/ }).click();
    await asked;
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await typed.waitFor();
    const value = api.session('operator');
    await page.context().addCookies([{ name: 'platform_session', value, url: api.publicUrl }]);
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await ended.first().waitFor({ state: 'detached' });
    await page.locator('.cm-line', { hasText: 'horsepower: 81' }).waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').waitFor({ state: 'attached' });
    const { body } = await api.as('operator', 'get', blueOne).expect(200);
    expect(body.spec).toMatchObject({ model: 'Typed', horsepower: 81 });
  });

  it('merges what others change, and asks only about the same place', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/old-green?tab=yaml`);
    await replaceIn(page, 'model: M-35', 'model: Mine');
    const change = (spec: object) =>
      api
        .as('operator', 'patch', `${tractors}/acme/hill/old-green`)
        .set('Content-Type', 'application/merge-patch+json')
        .send(JSON.stringify({ spec }))
        .expect(200);
    await change({ horsepower: 36 });
    await page.getByText('a change of others merged in').waitFor();
    await change({ model: 'Theirs' });
    await page.getByRole('region', { name: 'Conflicts' }).waitFor();
    expect(await page.getByRole('button', { name: 'Review' }).isDisabled()).toBe(true);
    await look(page, 'editor-conflict');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Keep mine for spec.model' }).click();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').waitFor({ state: 'attached' });
    const { body } = await api.as('operator', 'get', `${tractors}/acme/hill/old-green`).expect(200);
    expect(body.spec).toMatchObject({ model: 'Mine', horsepower: 36 });
  });

  it('merges what others change while the text cannot be parsed, as soon as it can', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/big-red?tab=yaml`);
    await replaceIn(page, 'color: red', 'color: [');
    const read = page.waitForResponse(
      (answer) => answer.request().headers()['accept'] === 'application/yaml',
    );
    await api
      .as('operator', 'patch', bigRed)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ spec: { horsepower: 130 } }))
      .expect(200);
    await read;
    await replaceIn(page, 'color: [', 'color: blue');
    await page.getByText('a change of others merged in').waitFor();
    await page.locator('.cm-line', { hasText: 'horsepower: 130' }).waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').waitFor({ state: 'attached' });
    const { body } = await api.as('operator', 'get', bigRed).expect(200);
    expect(body.spec).toMatchObject({ color: 'blue', horsepower: 130 });
  });

  it('saves a text that the server takes as JSON only, and stays quick while somebody types in it', async () => {
    const parts = Array.from({ length: 9_000 }, (_, index) => ({ name: `part-${index}-${'x'.repeat(50)}` }));
    const spec = { model: 'M-1', parts, anything: [7] };
    const body = JSON.stringify(resource('Tractor', 'huge', spec)).replace('[7]', '[1.10]');
    await api
      .as('operator', 'post', `${tractors}/acme/hill`)
      .set('Content-Type', 'application/json')
      .send(body)
      .expect(201);
    const page = await console.open('operator', `${tractorsPage}/acme/hill/huge?tab=yaml`);
    const line = page.locator('.cm-line', { hasText: 'model: M-1' });
    await line.click();
    await page.keyboard.press('End');
    // Parsing such a text takes a long task, which no key may cost.
    await page.evaluate(countLongTasks);
    const keys = 'abcdefghijklmnopqrst';
    for (const key of keys) await page.keyboard.press(key);
    const long = Number(await page.evaluate('window.longTasks'));
    expect(long).toBeLessThan(keys.length / 2);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Revision 2', { exact: true }).waitFor();
    const { text } = await api.as('operator', 'get', `${tractors}/acme/hill/huge`).expect(200);
    expect(text).toContain(`"model":"M-1${keys}"`);
    expect(text).toContain('"anything":[1.10]');
  }, 120_000);

  it('creates a resource from what its schema requires', async () => {
    const page = await console.open('operator', `/new/farm.example.dev/v1/tractors/acme/hill`);
    await replaceIn(page, 'name: ""', 'name: brand-new');
    await replaceIn(page, 'model: ""', 'model: N');
    await look(page, 'create');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'brand-new', level: 1 }).waitFor();
  });
});

/** Tasks that take longer than a person notices, and longer than drawing a key on a busy machine. */
const countLongTasks = `{
  window.longTasks = 0;
  new PerformanceObserver((list) => {
    window.longTasks += list.getEntries().filter(({ duration }) => duration > 250).length;
  }).observe({ type: 'longtask' });
}`;
