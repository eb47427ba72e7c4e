import { WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, tractors, tractorsPage } from './farm.ts';

const bigRed = `${tractors}/acme/hill/big-red`;

describeWhereInstalled('forms of the console (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(() => makeFarm(api));

  it('edits the same draft as the YAML view, with the faults of the server at their fields', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/big-red?tab=yaml&as=form`, {
      allow: [400],
    });
    const power = page.getByLabel('horsepower');
    await power.fill('0');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('form').getByText(/1/).first().waitFor();
    await page.waitForFunction("document.querySelector('[aria-invalid=true]') !== null");
    await look(page, 'form-fault');
    await expectAccessible(page);
    await power.fill('130');
    await page.getByRole('button', { name: 'Add to labels' }).click();
    await page.getByLabel('Name 3 of labels').fill('season');
    await page.getByLabel('Value of season').fill('2026');
    await page.getByRole('button', { name: 'Add to parts' }).click();
    await page.getByRole('group', { name: 'parts 1' }).getByLabel('name').fill('wheel');
    await page.getByRole('button', { name: 'YAML', exact: true }).click();
    await page.locator('.cm-line', { hasText: 'season: "2026"' }).waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').waitFor({ state: 'attached' });
    const { body } = await api.as('operator', 'get', bigRed).expect(200);
    expect(body.spec).toMatchObject({ horsepower: 130, parts: [{ name: 'wheel' }] });
    expect(body.metadata.labels).toMatchObject({ season: '2026', color: 'red' });
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('creates a resource below a parent that is chosen, in %s at %i', async (theme, width) => {
    const page = await console.open('operator', '/new/farm.example.dev/v1/tractors/acme?as=form', {
      theme,
      width,
    });
    const name = `made-${theme}`;
    await page.getByRole('textbox', { name: 'name', exact: true }).fill(name);
    await page.getByLabel('model').fill('N-1');
    await page.getByLabel('color').selectOption('green');
    await page.getByRole('combobox', { name: 'Farm' }).fill('hill');
    await look(page, `create-form-${theme}-${width}`);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    const { body } = await api.as('operator', 'get', `${tractors}/acme/hill/${name}`).expect(200);
    expect(body.spec).toEqual({ model: 'N-1', color: 'green' });
  });

  it('creates a role with its rules', async () => {
    const page = await console.open('operator', '/new/platform.dev/v1alpha1/roles/?as=form');
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('drivers');
    await page.getByRole('button', { name: 'Add to rules' }).click();
    for (const [list, value] of [
      ['apiGroups', 'farm.example.dev'],
      ['resources', 'tractors'],
    ] as const) {
      await page.getByRole('button', { name: `Add to ${list}` }).click();
      await page.getByRole('textbox', { name: `${list} 1` }).fill(value);
    }
    await page.getByRole('checkbox', { name: 'get' }).check();
    await page.getByRole('checkbox', { name: 'list' }).check();
    await look(page, 'role-form');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'drivers', level: 1 }).waitFor();
    const { body } = await api
      .as('operator', 'get', '/api/v1/resources/platform.dev/v1alpha1/roles/drivers')
      .expect(200);
    expect(body.spec.rules).toEqual([
      { apiGroups: ['farm.example.dev'], resources: ['tractors'], verbs: ['get', 'list'] },
    ]);
  });

  it('says how many stored resources a new schema refuses before it is saved', async () => {
    const definition = '/r/platform.dev/v1alpha1/resourcedefinitions/tractors.farm.example.dev';
    const page = await console.open('operator', `${definition}?tab=yaml&as=form`);
    const schema = page.getByLabel('schema');
    const before = await schema.inputValue();
    await schema.fill(before.replace('minimum: 1', 'minimum: 100'));
    await schema.blur();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText(/\d invalid/).waitFor();
    await look(page, 'definition-impact');
    await expectAccessible(page);
    // Resources that the next change would refuse are not made in passing.
    const save = page.getByRole('button', { name: 'Save', exact: true });
    expect(await save.isDisabled()).toBe(true);
    const count = await page.locator('label code').textContent();
    await page.getByLabel(/^(A stored resource|\d+ stored resources) would be refused/).fill(count ?? '');
    expect(await save.isDisabled()).toBe(false);
  });

  it('helps somebody who may write resources and not read their definition', async () => {
    const platform = '/api/v1/resources/platform.dev/v1alpha1';
    const { body: acme } = await api.as('operator', 'get', `${platform}/organizations/acme`).expect(200);
    const made = async (plural: string, kind: string, name: string, spec: object) =>
      await api
        .as('operator', 'post', `${platform}/${plural}`)
        .send({ apiVersion: 'platform.dev/v1alpha1', kind, metadata: { name }, spec })
        .expect(201);
    await made('roles', 'Role', 'mechanic', {
      rules: [{ apiGroups: ['farm.example.dev'], resources: ['*'], verbs: ['*'] }],
    });
    const { apiVersion, kind, metadata } = acme;
    await made('rolebindings', 'RoleBinding', 'mechanics', {
      roleRef: { name: 'mechanic' },
      subjects: [{ kind: 'User', name: 'member@example.dev' }],
      scope: { apiVersion, kind, name: metadata.name, uid: metadata.uid },
    });
    const page = await console.open('member', '/new/farm.example.dev/v1/tractors/acme/hill?as=form', {
      allow: [403],
    });
    await page.getByLabel('model').fill('N-2');
    await page.getByText('As the maker calls it.').waitFor();
    await page.getByLabel('color').selectOption('blue');
    await look(page, 'create-form-member');
    await expectAccessible(page);
    await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill/big-red?tab=yaml&as=form`);
    expect(await page.getByLabel('horsepower').inputValue()).toMatch(/^\d+$/);
  });

  it('takes a kind that has the name of a built-in one for what it is', async () => {
    const versions = [{ name: 'v1', served: true, storage: true }];
    const spec = { group: 'print.example.dev', kind: 'ResourceDefinition', plural: 'blueprints', versions };
    await api
      .as('operator', 'post', '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions')
      .send({
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'ResourceDefinition',
        metadata: { name: 'blueprints.print.example.dev' },
        spec,
      })
      .expect(201);
    const page = await console.open('operator', '/new/print.example.dev/v1/blueprints/');
    await page.locator('.cm-line', { hasText: 'apiVersion: print.example.dev/v1' }).waitFor();
  });
});
