import { existsSync } from 'node:fs';
import { chromiumFlags, chromiumPath } from '@platform/development/testing';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { WholeApi } from './whole-api.ts';

// Needs Debian's package chromium, which not every machine can install.
const describeWhereInstalled = existsSync(chromiumPath) ? describe : describe.skip;

describeWhereInstalled('/docs in Chromium (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const faults: string[] = [];
  const foreign: string[] = [];
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: chromiumPath,
      args: [...chromiumFlags],
    });
  }, 60_000);
  beforeEach(async () => {
    faults.length = 0;
    foreign.length = 0;
    context = await browser.newContext({ viewport: { width: 1280, height: 1400 } });
    page = await context.newPage();
    // Violations of the content security policy are errors of the console.
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${api.publicUrl}/`)) foreign.push(request.url());
    });
  });
  afterEach(() => context.close());
  afterAll(() => browser.close());

  it('shows every section, and asks nobody but the service', async () => {
    await page.goto(`${api.publicUrl}/docs`);
    await page.getByRole('heading', { name: /Platform API/ }).waitFor();
    await page.locator('.opblock-tag').first().waitFor();
    const sections = await page.locator('.opblock-tag').evaluateAll((all) => all.map((one) => one.id));
    expect(sections).toHaveLength(11);
    expect(foreign.filter((url) => !url.startsWith('data:'))).toEqual([]);
    expect(faults).toEqual([]);
    await look(page, 'docs');
  }, 60_000);

  it('opens an operation with its example and calls it', async () => {
    await page.goto(`${api.publicUrl}/docs#/Operations/getHealth`);
    const operation = page.locator('#operations-Operations-getHealth');
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answered = operation.locator('.live-responses-table .response');
    await answered.waitFor();
    expect(await answered.textContent()).toContain('"status": "ok"');
    expect(faults).toEqual([]);
    await look(page, 'docs-operation');
  }, 60_000);

  it('shows the registered kinds to an operator who has logged in', async () => {
    const cookie = { name: 'platform_session', value: api.session('operator'), url: api.publicUrl };
    await context.addCookies([cookie]);
    const definition = {
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'ResourceDefinition',
      metadata: { name: 'tractors.farm.example.dev' },
      spec: {
        group: 'farm.example.dev',
        kind: 'Tractor',
        plural: 'tractors',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              type: 'object',
              properties: { engine: { $ref: '#/$defs/engine' } },
              $defs: { engine: { type: 'object', properties: { horsepower: { type: 'integer' } } } },
            },
          },
        ],
      },
    };
    const definitions = '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions';
    await api.as('operator', 'post', definitions).send(definition).expect(201);
    await page.goto(`${api.publicUrl}/docs?kinds=all`);
    await page.locator('#operations-tag-Registered_kinds').click();
    const create = page.locator('.opblock', { hasText: 'Create Tractor' });
    await create.waitFor();
    await create.locator('.opblock-summary-description').click();
    await create.getByText('horsepower').first().waitFor();
    expect(await page.locator('.errors-wrapper').count()).toBe(0);
    expect(faults).toEqual([]);
    await look(page, 'docs-kinds');
  }, 60_000);
});

/** A picture for a person to look at, where one is asked for. */
async function look(page: Page, name: string): Promise<void> {
  const directory = process.env['PLATFORM_TEST_SCREENSHOTS'];
  if (directory !== undefined) await page.screenshot({ path: `${directory}/${name}.png` });
}
