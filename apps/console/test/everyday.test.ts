import { WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, tractors, tractorsPage } from './farm.ts';

const bigRed = `${tractors}/acme/hill/big-red`;

describeWhereInstalled('everyday work in the console (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(async () => {
    await makeFarm(api);
    await api
      .as('operator', 'post', '/api/v1/resources/platform.dev/v1alpha1/rolebindings')
      .send({
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'RoleBinding',
        metadata: { name: 'members' },
        spec: { roleRef: { name: 'viewer' }, subjects: [{ kind: 'User', name: 'member@example.dev' }] },
      })
      .expect(201);
  });

  it('switches off for a viewer what needs other verbs, and says which', async () => {
    const page = await console.open('member', `${tractorsPage}/acme/hill/big-red`, { allow: [403] });
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete… needs the verb delete' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /^Delete…/ }).getAttribute('aria-disabled')).toBe('true');
    await expectAccessible(page);
    await look(page, 'actions-viewer');
    await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill/big-red?tab=yaml`);
    await page.getByText('that needs the verb update').waitFor();
    await expectAccessible(page);
    await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill`);
    await page.getByText('You may not create tractors here').waitFor();
    expect(await page.getByRole('link', { name: 'New Tractor' }).count()).toBe(0);
  });

  it('finds resources of every kind in the palette', async () => {
    const page = await console.open('operator', '');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('old-gr');
    await page.getByRole('menuitem', { name: /old-green/ }).waitFor();
    await expectAccessible(page);
    await look(page, 'palette-resources');
    await page.getByRole('menuitem', { name: /old-green/ }).click();
    await page.getByRole('heading', { name: 'old-green', level: 1 }).waitFor();
  });

  it('goes to pages and shows its keys by single keys, unless they are switched off', async () => {
    const page = await console.open('operator', '');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.getByRole('link', { name: 'New kind' }).waitFor();
    await page.getByRole('link', { name: 'Schema of tractors' }).waitFor();
    await expectAccessible(page);
    await look(page, 'kinds');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await expectAccessible(page);
    await look(page, 'keys');
    await page.keyboard.press('Escape');
    await page.evaluate("localStorage.setItem('platform-console', '{\"singleKeys\":false}')");
    await page.reload();
    await page.getByRole('heading', { name: 'Kinds', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    expect(await page.getByRole('dialog', { name: 'Keys' }).count()).toBe(0);
  });

  it('says to somebody who may not watch that the page is not live, and reads again on demand', async () => {
    const platform = '/api/v1/resources/platform.dev/v1alpha1';
    const made = async (plural: string, kind: string, name: string, spec: object) =>
      await api
        .as('operator', 'post', `${platform}/${plural}`)
        .send({ apiVersion: 'platform.dev/v1alpha1', kind, metadata: { name }, spec })
        .expect(201);
    const email = 'reader@example.dev';
    await made('roles', 'Role', 'reader', {
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] }],
    });
    await made('rolebindings', 'RoleBinding', 'readers', {
      roleRef: { name: 'reader' },
      subjects: [{ kind: 'User', name: email }],
    });
    const page = await console.open(
      { uid: '0190d2f0-0000-7000-8000-0000000000aa', email },
      `${tractorsPage}/acme/hill/old-green?tab=explain`,
      { allow: [403] },
    );
    await page.getByText('Not live', { exact: true }).waitFor();
    await page.getByText('Latest changes').waitFor();
    await look(page, 'not-live');
    await expectAccessible(page);
    await api
      .as('operator', 'patch', `${tractors}/acme/hill/old-green`)
      .set('Content-Type', 'application/merge-patch+json')
      .set('X-Change-Reason', 'painted')
      .send(JSON.stringify({ spec: { color: 'blue' } }))
      .expect(200);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('painted').waitFor();
  });

  it('compares any two revisions, and leads from one to its request in the audit', async () => {
    for (const horsepower of [36, 37]) {
      await api
        .as('operator', 'patch', `${tractors}/acme/hill/old-green`)
        .set('Content-Type', 'application/merge-patch+json')
        .send(JSON.stringify({ spec: { horsepower } }))
        .expect(200);
    }
    const page = await console.open('operator', `${tractorsPage}/acme/hill/old-green?tab=history`);
    await page.getByLabel('From revision').selectOption('1');
    await page.locator('.diff [data-sign="-"]', { hasText: 'horsepower: 35' }).waitFor();
    await page.locator('.diff [data-sign="+"]', { hasText: 'horsepower: 37' }).waitFor();
    expect(new URL(page.url()).searchParams.get('diff')).toMatch(/^1\.\.\d+$/);
    await look(page, 'history-compared');
    await expectAccessible(page);
    const [link] = await page.getByRole('link', { name: /^Request of revision/ }).all();
    await link?.click();
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    await page.getByText('resource.').first().waitFor();
  });

  it('labels long pauses in the history', async () => {
    await api
      .as('operator', 'patch', `${tractors}/acme/hill/old-green`)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ spec: { horsepower: 38 } }))
      .expect(200);
    const page = await console.open('operator', `${tractorsPage}/acme/hill/old-green?tab=history`, {
      // Nothing makes real changes older than they are.
      before: (page) =>
        page.route(/\/history\?limit=/, async (route) => {
          const response = await route.fetch();
          const { items, metadata } = await response.json();
          const aged = items.map((entry: { time: string }, index: number) => ({
            ...entry,
            time: new Date(Date.parse(entry.time) - index * 5 * 3_600_000).toISOString(),
          }));
          await route.fulfill({ response, json: { items: aged, metadata } });
        }),
    });
    await page.getByText('No change for 5 h').first().waitFor();
    await look(page, 'history-pauses');
    await expectAccessible(page);
  });

  it('narrows the history and begins a draft with an earlier state', async () => {
    await api
      .as('operator', 'patch', bigRed)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ spec: { model: 'Wrong' } }))
      .expect(200);
    const page = await console.open('operator', `${tractorsPage}/acme/hill/big-red?tab=history`);
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('create');
    await page.getByRole('button', { name: 'Show the changes of revision 2' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show the changes of revision 1' }).click();
    await look(page, 'history-filtered');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Use this state as draft' }).click();
    await page.locator('.cm-line', { hasText: 'model: M-120' }).waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').waitFor({ state: 'attached' });
    const { body } = await api.as('operator', 'get', bigRed).expect(200);
    expect(body.spec.model).toBe('M-120');
  });
});
