import { WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, resource, tractors, tractorsPage } from './farm.ts';

const hostile = '<img src=x onerror=alert(1)>"\'&amp;';

describeWhereInstalled('tables of the console (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(() => makeFarm(api));
  const grid = `${tractorsPage}/acme/hill`;

  it('goes through rows by keys, opens one next to the table and edits it', async () => {
    const page = await console.open('operator', grid);
    await page.getByRole('link', { name: 'old-green' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Tractor old-green' }).getByText('Uid').waitFor();
    await look(page, 'table-panel');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Close the panel' }).click();
    await page.getByRole('grid').focus();
    await page.keyboard.press('k');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'big-red', level: 1 }).waitFor();
    await page.locator('.cm-line', { hasText: 'model: M-120' }).waitFor();
  });

  it('changes no row while it is paused, counts what waits, and follows its text filter', async () => {
    const path = `${tractors}/acme/hill/old-green`;
    const paint = (model: string) =>
      api
        .as('operator', 'patch', path)
        .set('Content-Type', 'application/merge-patch+json')
        .send(JSON.stringify({ spec: { model } }))
        .expect(200);
    const page = await console.open('operator', grid);
    await page.getByRole('link', { name: 'old-green' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await paint('Later');
    const apply = page.getByRole('button', { name: '1 changed. Apply' });
    await apply.waitFor();
    expect(await page.getByText('Later', { exact: true }).count()).toBe(0);
    await apply.click();
    await page.getByText('Later', { exact: true }).waitFor();
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Go live' }).click();
    await page.getByLabel('Find in the rows').fill('found');
    await page.getByText('No resource matches the filters').waitFor();
    await paint('Found');
    await page.getByRole('link', { name: 'old-green' }).waitFor();
    await paint('M-35');
    await page.getByText('No resource matches the filters').waitFor();
  });

  it('keeps the chosen columns in the URL', async () => {
    const page = await console.open('operator', grid);
    await page.getByRole('columnheader', { name: 'Horsepower' }).waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Horsepower' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Horsepower' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('columnheader', { name: 'Model' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Horsepower' }).count()).toBe(0);
  });

  it('labels and deletes several resources, each in one transaction', async () => {
    for (const name of ['bulk-1', 'bulk-2', 'bulk-3']) {
      const body = resource('Tractor', name, { model: 'B' });
      await api.as('operator', 'post', `${tractors}/acme/hill`).send(body).expect(201);
    }
    const page = await console.open('operator', `${grid}?find=bulk`);
    await page.getByRole('link', { name: 'bulk-3' }).waitFor();
    await page.getByText('3 of 5 resources').waitFor();
    expect(await page.getByRole('link', { name: 'big-red' }).count()).toBe(0);
    for (const name of ['bulk-1', 'bulk-2']) {
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    }
    await page.getByRole('button', { name: 'Label…' }).click();
    await page.getByRole('dialog').getByLabel('Label', { exact: true }).fill('team');
    await page.getByRole('dialog').getByLabel('Value').fill('north');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Change 2 resources' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The bar with the button that opened the dialog is gone, too.
    await page.locator('main:focus, main :focus').waitFor();
    const { body } = await api.as('operator', 'get', `${tractors}/acme/hill?labelSelector=team=north`);
    expect(body.items.map((one: { metadata: { name: string } }) => one.metadata.name)).toEqual([
      'bulk-1',
      'bulk-2',
    ]);
    for (const name of ['bulk-1', 'bulk-2']) {
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    }
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByText('Nothing else is deleted').waitFor();
    await look(page, 'bulk-deletion');
    await expectAccessible(page);
    await page.getByRole('dialog').getByLabel('Type 2 to confirm').fill('2');
    await page.getByRole('button', { name: 'Delete 2 resources' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await api.as('operator', 'get', `${tractors}/acme/hill/bulk-1`).expect(404);
    await api.as('operator', 'get', `${tractors}/acme/hill/bulk-3`).expect(200);
  });

  it('drops selected rows that are gone before they are deleted with the others', async () => {
    for (const name of ['gone-1', 'gone-2', 'gone-3']) {
      const body = resource('Tractor', name, { model: 'G' });
      await api.as('operator', 'post', `${tractors}/acme/hill`).send(body).expect(201);
    }
    const page = await console.open('operator', `${grid}?find=gone`);
    for (const name of ['gone-1', 'gone-2', 'gone-3']) {
      await page.getByRole('checkbox', { name: `Select ${name}` }).click();
    }
    await page.getByText('3 selected').waitFor();
    await api.as('operator', 'delete', `${tractors}/acme/hill/gone-2`).expect(200);
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByLabel('Type 2 to confirm').fill('2');
    await page.getByRole('button', { name: 'Delete 2 resources' }).click();
    await page.getByText('No resource matches the filters').waitFor();
  });

  it('shows the columns of a kind to somebody who may read its resources and not its definition', async () => {
    const platform = '/api/v1/resources/platform.dev/v1alpha1';
    const { body: acme } = await api.as('operator', 'get', `${platform}/organizations/acme`).expect(200);
    const { apiVersion, kind, metadata } = acme;
    await api
      .as('operator', 'post', `${platform}/rolebindings`)
      .send({
        apiVersion,
        kind: 'RoleBinding',
        metadata: { name: 'acme-viewers' },
        spec: {
          roleRef: { name: 'viewer' },
          subjects: [{ kind: 'User', name: 'member@example.dev' }],
          scope: { apiVersion, kind, name: metadata.name, uid: metadata.uid },
        },
      })
      .expect(201);
    const page = await console.open('member', grid);
    await page.getByRole('columnheader', { name: 'Horsepower' }).waitFor();
    await page.getByRole('gridcell', { name: '120' }).or(page.getByText('120')).first().waitFor();
    await look(page, 'table-bound');
  });

  it('has pages for screen readers, with the same rows', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        api
          .as('operator', 'post', `${tractors}/globex/lake`)
          .send(resource('Tractor', `paged-${String(index).padStart(2, '0')}`, { model: 'P' }))
          .expect(201),
      ),
    );
    const page = await console.open('operator', '/settings', { allow: [404] });
    await page.getByLabel('Tables of resources').selectOption('pages');
    await page.goto(`${api.publicUrl}/console${tractorsPage}/globex/lake?find=paged`);
    await page.getByRole('rowheader', { name: 'paged-00' }).waitFor();
    expect(await page.getByRole('grid').count()).toBe(0);
    expect(await page.locator('tbody tr').count()).toBe(50);
    await look(page, 'table-pages');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('rowheader', { name: 'paged-59' }).waitFor();
    await page.getByText('Page 2 of 2').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(10);
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page.getByText('Page 1 of 2').waitFor();
    await page.locator('tbody tr', { hasText: 'paged-59' }).first().waitFor();
    await page.getByRole('checkbox', { name: 'Select paged-59' }).check();
    await page.getByRole('region', { name: 'Selection' }).waitFor();
    await page.getByRole('link', { name: 'paged-59' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'paged-59', level: 1 }).waitFor();
  });

  it('keeps the order in the URL, and leads back to the row that was left', async () => {
    const page = await console.open('operator', `${tractorsPage}/globex/lake`, { allow: [400] });
    const first = page.locator('#row-0');
    await page.getByRole('link', { name: 'blue-one' }).waitFor();
    for (const expected of ['blue-one', 'paged-59']) {
      await page.getByRole('button', { name: 'Name', exact: true }).click();
      await first.getByRole('link', { name: expected }).waitFor();
    }
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-Name');
    await page.reload();
    await first.getByRole('link', { name: 'paged-59' }).waitFor();
    // Another list in the same order.
    await page.getByRole('textbox', { name: 'Labels' }).fill('tier!=field');
    await page.keyboard.press('Enter');
    await page.getByText('60 resources').waitFor();
    await first.getByRole('link', { name: 'paged-59' }).waitFor();
    expect(
      await page.getByRole('columnheader', { name: 'Name', exact: true }).getAttribute('aria-sort'),
    ).toBe('descending');
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    const left = page.locator('[role=grid]:focus .grid-row[data-focused=true]');
    await left.getByRole('link', { name: 'paged-01' }).waitFor();
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('heading', { name: 'paged-01', level: 1 }).waitFor();
    await page.goBack();
    await left.getByRole('link', { name: 'paged-01' }).waitFor();
    // The browser has made the row visible only where the table was scrolled to it.
    expect(await page.locator('[role=grid]').evaluate((box) => Object(box).scrollTop > 0)).toBe(true);
    await page.getByRole('textbox', { name: 'Labels' }).fill('(((');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The selector is not valid' }).waitFor();
    await expectAccessible(page);
  });

  it('leads back to the row that was left while its rows changed and the next page was loaded', async () => {
    const page = await console.open('operator', grid);
    await page.getByRole('link', { name: 'old-green' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    let load = (): void => undefined;
    const loaded = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route('**/console/assets/*', async (route) => {
      await loaded;
      await route.continue();
    });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Kinds' }).click();
    await page.waitForURL('**/console/kinds');
    await api
      .as('operator', 'patch', `${tractors}/acme/hill/old-green`)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ spec: { model: 'Meanwhile' } }))
      .expect(200);
    await page.getByText('Meanwhile', { exact: true }).waitFor();
    load();
    await page.getByRole('heading', { name: 'Kinds', level: 1 }).waitFor();
    await page.goBack();
    await page.locator('.grid-row[data-focused=true]').getByRole('link', { name: 'old-green' }).waitFor();
  });

  it('shows hostile, long and right-to-left texts as texts, in tables, pages and forms', async () => {
    const spec = { model: `${hostile}${'long '.repeat(400)}`, parts: [{ name: 'שלום \u202Eexe.txt' }] };
    await api
      .as('operator', 'post', `${tractors}/acme/hill`)
      .send(resource('Tractor', 'hostile', spec, { note: 'x'.repeat(63) }))
      .expect(201);
    await api
      .as('operator', 'patch', `${tractors}/acme/hill/hostile`)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ metadata: { annotations: { 'example.dev/note': `${hostile}\u202Eexe.txt` } } }))
      .expect(200);
    // In a tab of each width: some parts choose what they show when they are opened.
    for (const width of [360, 1280]) {
      const page = await console.open('operator', `${grid}?find=hostile`, { width });
      const paths = ['', '?tab=yaml', '?tab=yaml&as=form', '?tab=history', '?tab=graph'];
      await page.getByText('<img src=x').first().waitFor();
      for (const path of paths.map((tab) => `${grid}/hostile${tab}`)) {
        await console.go(page, path);
        await page.getByRole('heading', { name: 'hostile', level: 1 }).waitFor();
        await page.getByText('Loading').waitFor({ state: 'detached' });
        // Those of the editor stand around its escapes, and show nothing.
        expect(await page.locator('img:not(.cm-widgetBuffer)').count()).toBe(0);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        // A character that turns the text around is an escape, also in the editor.
        if (path.endsWith('tab=yaml'))
          await page.locator('.cm-line', { hasText: '\\u202eexe.txt' }).first().waitFor();
        await expectAccessible(page);
      }
    }
  }, 60_000);
});
