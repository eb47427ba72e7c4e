import { WholeApi } from '@platform/api/testing';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';

const platform = 'platform.dev/v1alpha1';
const big = '9007199254740993';
const group = 'shop.example.dev';

const schema = {
  type: 'object',
  properties: {
    ports: { type: 'array', items: { enum: [80, 443] } },
    mode: { enum: ['', 'shared'] },
    tier: { const: 'gold' },
    limits: { type: 'object', additionalProperties: { type: 'integer' } },
    owner: { type: ['string', 'null'] },
    rank: { enum: ['low', null] },
    note: { type: 'string', description: `https://docs.example.dev/${'stalls/'.repeat(40)}` },
    env: { type: 'object', additionalProperties: { type: 'string' } },
    count: { type: 'integer', minimum: 1, maximum: 10 },
    code: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
    slow: { type: 'string', pattern: '^(a+)+$' },
    extra: { type: 'object', properties: { known: { type: 'string' } }, additionalProperties: true },
  },
};

describeWhereInstalled('the inputs of a form (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(async () => {
    await define('Stall', 'stalls', schema);
  });

  /** `BIG` in a schema becomes a number that JavaScript would round. */
  async function define(kind: string, plural: string, schema: object): Promise<void> {
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    const metadata = { name: `${plural}.${group}` };
    const body = {
      apiVersion: platform,
      kind: 'ResourceDefinition',
      metadata,
      spec: { group, kind, plural, versions },
    };
    await api
      .as('operator', 'post', `/api/v1/resources/${platform}/resourcedefinitions`)
      .set('Content-Type', 'application/json')
      .send(JSON.stringify(body).replaceAll('"BIG"', big))
      .expect(201);
  }

  const open = () => console.open('operator', `/new/${group}/v1/stalls/?as=form`);

  /** The lines of the draft behind a form. */
  async function draftOf(page: Page): Promise<readonly string[]> {
    await page.getByRole('button', { name: 'YAML', exact: true }).click();
    await page.locator('.cm-line').first().waitFor();
    const lines = await page.locator('.cm-line').allInnerTexts();
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    return lines.map((line) => line.trim());
  }

  it('writes the values of a choice as the schema has them, and shows which one is not set', async () => {
    const page = await open();
    const mode = page.getByLabel('mode');
    expect(await mode.locator('option:checked').textContent()).toBe('not set');
    await mode.selectOption({ label: 'empty' });
    await page.getByRole('checkbox', { name: '443' }).check();
    await page.getByLabel('tier').selectOption('gold');
    expect(await draftOf(page)).toEqual(expect.arrayContaining(['mode: ""', '- 443', 'tier: gold']));
    expect(await mode.locator('option:checked').textContent()).toBe('empty');
  });

  it('reviews by Ctrl S what is typed into a field of YAML, which keeps its spaces and comments', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('limited');
    const limits = page.getByLabel('limits');
    await limits.focus();
    await page.keyboard.type('cpu:   [');
    await page.getByText('It is not part of the draft yet.').waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2 # of 8');
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'limited', level: 1 }).waitFor();
    const { body } = await api
      .as('operator', 'get', `/api/v1/resources/${group}/v1/stalls/limited`)
      .expect(200);
    expect(body.spec).toEqual({ limits: { cpu: 2 } });
  });

  it('shows the rules of the schema, and which one is broken, before the server is asked', async () => {
    const page = await open();
    const count = page.getByLabel('count', { exact: true });
    await count.fill('11');
    await page.getByText('It must be at most 10.').waitFor();
    expect(await count.getAttribute('aria-invalid')).toBe('true');
    const code = page.getByLabel('code', { exact: true });
    await code.fill('ABC');
    await page.getByText('It must match ^[a-z]+$').waitFor();
    await page.getByText('At least 1, at most 10.', { exact: true }).waitFor();
    // A pattern that never ends takes nothing from the page.
    await page.getByLabel('slow', { exact: true }).fill(`${'a'.repeat(60)}!`);
    await look(page, 'form-rules');
    await expectAccessible(page);
    await count.fill('10');
    await code.fill('abc');
    await page.getByText('It must match ^[a-z]+$').waitFor({ state: 'detached' });
    expect(await count.getAttribute('aria-invalid')).toBe('false');
  });

  it('shows in the colors of the system which controls are off, and which value is refused', async () => {
    const page = await open();
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByLabel('count', { exact: true }).fill('11');
    await page.getByText('It must be at most 10.').waitFor();
    expect(await page.evaluate(borderOfInvalid)).toBe('dashed');
    const on = await page.evaluate(colorOfReview);
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('shown');
    await page.getByLabel('count', { exact: true }).fill('5');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'shown', level: 1 }).waitFor();
    await page.getByRole('tab', { name: 'YAML and form' }).click();
    await page.getByRole('button', { name: 'Review', disabled: true }).waitFor();
    expect(await page.evaluate(colorOfReview)).not.toBe(on);
    await look(page, 'forced-colors');
    await expectAccessible(page);
  });

  it('keeps members that the schema does not name, and shows them as YAML', async () => {
    const page = await open();
    const others = page.getByLabel('Other members of spec.extra');
    await others.fill('more: 12345678901234567890\nlist: [a]');
    await page.getByLabel('known', { exact: true }).fill('yes');
    expect(await draftOf(page)).toEqual(
      expect.arrayContaining(['more: 12345678901234567890', 'list: [a]', 'known: yes']),
    );
    expect(await others.inputValue()).toContain('more: 12345678901234567890');
    expect(await page.getByLabel('Other members of spec', { exact: true }).count()).toBe(0);
    await others.fill('known: twice');
    await page.getByText('It is not part of the draft yet.').waitFor();
    await look(page, 'form-others');
    await expectAccessible(page);
  });

  it('begins with every digit of a default', async () => {
    await define('Ledger', 'ledgers', {
      type: 'object',
      required: ['number', 'place'],
      properties: {
        number: { type: 'integer', default: 'BIG' },
        place: { enum: ['BIG'] },
      },
    });
    const page = await console.open('operator', `/new/${group}/v1/ledgers/?as=form`);
    expect(await page.getByRole('textbox', { name: 'number', exact: true }).inputValue()).toBe(big);
    expect(
      await page
        .getByRole('combobox', { name: 'place', exact: true })
        .locator('option:checked')
        .textContent(),
    ).toBe(big);
    expect(await draftOf(page)).toEqual(expect.arrayContaining([`number: ${big}`, `place: ${big}`]));
  });

  it('breaks descriptions without spaces on a phone', async () => {
    const page = await open();
    await page.setViewportSize({ width: 360, height: 780 });
    await page.getByText('https://docs.example.dev/').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await look(page, 'form-long-description');
  });

  it('shows null as an empty text, and as the value of a choice that allows it', async () => {
    const body = {
      apiVersion: `${group}/v1`,
      kind: 'Stall',
      metadata: { name: 'free' },
      spec: { owner: null, rank: null },
    };
    await api.as('operator', 'post', `/api/v1/resources/${group}/v1/stalls`).send(body).expect(201);
    const page = await console.open('operator', `/r/${group}/v1/stalls/free?tab=yaml&as=form`);
    const owner = page.getByLabel('owner', { exact: true });
    await owner.waitFor();
    expect(await owner.inputValue()).toBe('');
    expect(await page.getByLabel('rank').inputValue()).toBe('null');
    await owner.pressSequentially('Ada');
    expect(await draftOf(page)).toEqual(expect.arrayContaining(['owner: Ada', 'rank: null']));
  });

  it('keeps the focus when a text becomes long', async () => {
    const page = await open();
    const note = page.getByLabel('note');
    await note.fill('n'.repeat(200));
    await note.press('End');
    await page.keyboard.type('ow');
    expect(await note.inputValue()).toMatch(/now$/);
  });

  it('keeps members apart whose names are equal while one is typed, and in their order', async () => {
    const page = await open();
    const add = page.getByRole('button', { name: 'Add to env' });
    await add.click();
    await page.getByLabel('Name 1 of env').fill('app');
    await add.click();
    const second = page.getByLabel('Name 2 of env');
    await second.pressSequentially('app');
    await page.getByText('Another one has this name. This one keeps ap').waitFor();
    expect(await second.getAttribute('aria-invalid')).toBe('true');
    await look(page, 'form-name-taken');
    await expectAccessible(page);
    await second.pressSequentially('le');
    expect(await page.getByText('Another one has this name').count()).toBe(0);
    await add.click();
    await page.getByLabel('Name 3 of env').pressSequentially('80a');
    await page.getByLabel('Value of 80a').fill('x');
    expect(await draftOf(page)).toEqual(expect.arrayContaining(['app: ""', 'apple: ""', '80a: x']));
  });
});

const colorOfReview =
  "getComputedStyle([...document.querySelectorAll('button')].find((one) => one.textContent === 'Review')).color";
const borderOfInvalid = `getComputedStyle(document.querySelector('.input[aria-invalid="true"]')).borderTopStyle`;
