import { WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, resource, tractors, tractorsPage } from './farm.ts';

const farms = '/r/farm.example.dev/v1/farms';

describeWhereInstalled('deletions in the console (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(() => makeFarm(api));

  it('says what else is deleted, asks for the name, and shows how far it is', async () => {
    const page = await console.open('operator', `${farms}/acme/hill`, { allow: [409] });
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Tractor (2)').waitFor();
    await look(page, 'deletion-plan');
    await expectAccessible(page);
    const confirm = dialog.getByRole('button', { name: 'Delete 3 resources' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type hill to confirm').fill('hill');
    // Somebody makes another dependent meanwhile, so the plan that was read does not hold any more.
    const late = resource('Tractor', 'late', { model: 'L' });
    await api.as('operator', 'post', `${tractors}/acme/hill`).send(late).expect(201);
    await confirm.click();
    await dialog.getByText('Tractor (3)').waitFor();
    expect(await dialog.getByLabel('Type hill to confirm').inputValue()).toBe('');
    await dialog.getByLabel('Type hill to confirm').fill('hill');
    await dialog.getByLabel(/^Reason/).fill('Grüße, sold');
    await dialog.getByRole('button', { name: 'Delete 4 resources' }).click();
    await page.getByText('Being deleted since').waitFor();
    await look(page, 'deletion-progress');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.keyboard.press('Enter');
    await page.getByText('Reason: Grüße, sold').waitFor();
  });

  it('says before the deletion that a finalizer delays it', async () => {
    const name = 'held-by-fleet';
    const body = resource('Tractor', name, { model: 'H' });
    const metadata = { ...body.metadata, finalizers: ['fleet.example.dev/wait'] };
    await api
      .as('operator', 'post', `${tractors}/globex/lake`)
      .send({ ...body, metadata })
      .expect(201);
    const page = await console.open('operator', `${tractorsPage}/globex/lake/${name}?dialog=delete`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The deletion finishes when its finalizer is removed').waitFor();
    await dialog.getByText('fleet.example.dev/wait').waitFor();
    await expectAccessible(page);
  });

  it('asks from the palette too', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/old-green`);
    await page.getByRole('heading', { name: 'old-green', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('delete old');
    await page.getByRole('menuitem', { name: 'Delete old-green…' }).click();
    await page.getByRole('dialog').getByText('old-green').first().waitFor();
    await page.getByRole('button', { name: /^Delete/ }).waitFor();
    await look(page, 'deletion-from-palette');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForURL((url) => !url.searchParams.has('dialog'));
  });

  it('deletes a resource without dependents, lists it as removed, and restores it', async () => {
    const page = await console.open('operator', `${tractorsPage}/globex/lake/blue-one`, { allow: [404] });
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByText('Nothing else is deleted').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'tractors', level: 1 }).waitFor();
    await page.goto(`${api.publicUrl}/console/removed?kind=tractors.farm.example.dev&in=globex/lake`);
    await page.getByRole('button', { name: 'Restore… blue-one' }).waitFor();
    await look(page, 'removed');
    await expectAccessible(page);
    // A link by uid leads to the last state, and from there back to here.
    await page.getByRole('link', { name: 'globex / lake / blue-one' }).click();
    await page.getByText('This resource was removed').waitFor();
    await page.getByText('M-80').or(page.getByText('blue-one')).first().waitFor();
    await look(page, 'removed-resource');
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'Removed tractors' }).click();
    await page.getByRole('button', { name: 'Restore… blue-one' }).click();
    await page.getByRole('region', { name: 'Resources to restore' }).waitFor();
    await look(page, 'restore');
    await expectAccessible(page);
    // A name that is typed is one question, not one for each key.
    let asked = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/restore')) asked += 1;
    });
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.press('End');
    await name.pressSequentially('-again', { delay: 20 });
    await page.getByRole('region', { name: 'Resources to restore' }).getByText('blue-one-again').waitFor();
    expect(asked).toBe(1);
    await name.fill('blue-one');
    await page.getByRole('region', { name: 'Resources to restore' }).getByText('lake / blue-one').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByRole('heading', { name: 'blue-one', level: 1 }).waitFor();
    await page.getByText('platform.dev/restored-from').waitFor();
  });

  it('ends a cause that the caller can end, and says what may be left behind', async () => {
    const old = resource('Tractor', 'leased', { model: 'L' });
    const body = { ...old, metadata: { ...old.metadata, finalizers: ['left/by-nobody'] } };
    await api.as('operator', 'post', `${tractors}/globex/lake`).send(body).expect(201);
    await api.as('operator', 'delete', `${tractors}/globex/lake/leased`).expect(202);
    const page = await console.open('operator', `${tractorsPage}/globex/lake/leased?tab=explain`, {
      allow: [404],
    });
    await page.getByText('You can end it').waitFor();
    await look(page, 'explain-mine');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove the finalizer…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove the finalizer of Tractor leased?' });
    await dialog.getByText('may be left behind').waitFor();
    await dialog.getByLabel(/^Reason/).fill('the lease is over');
    await look(page, 'explain-end');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Remove the finalizer' }).click();
    await page.getByText('Waits for the collector').waitFor();
    const { body: after } = await api.as('operator', 'get', `${tractors}/globex/lake/leased`).expect(200);
    expect(after.metadata.finalizers).toEqual([]);
  });

  it('shows what is protected, and does not offer the deletion', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/big-red`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Protect from deletion' }).click();
    await page.getByText('Protected', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page
      .getByText('Nothing will be deleted')
      .or(page.getByText('Nothing else is deleted'))
      .first()
      .waitFor();
    await look(page, 'protected');
  });
});
