import { WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, resource, tractors, tractorsPage } from './farm.ts';
import { replaceIn } from './typing.ts';

describeWhereInstalled('removed resources (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(() => makeFarm(api));

  const make = async (name: string): Promise<string> => {
    const body = resource('Tractor', name, { model: 'M-1', color: 'red' });
    const made = await api.as('operator', 'post', `${tractors}/acme/hill`).send(body).expect(201);
    return made.body.metadata.uid;
  };
  const remove = (name: string) => api.as('operator', 'delete', `${tractors}/acme/hill/${name}`).expect(200);
  const specOf = async (name: string) =>
    (await api.as('operator', 'get', `${tractors}/acme/hill/${name}`).expect(200)).body.spec;

  it('come back on their page, which keeps the text that somebody typed there', async () => {
    await make('lost');
    const page = await console.open('operator', `${tractorsPage}/acme/hill/lost?tab=yaml`);
    await replaceIn(page, 'model: M-1', 'model: Mine');
    await remove('lost');
    await page.getByText('It stays here until you leave.').waitFor();
    await page.getByRole('button', { name: 'Restore…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore Tractor lost?' });
    await dialog.getByRole('region', { name: 'Resources to restore' }).getByText('hill / lost').waitFor();
    await look(page, 'restore-on-page');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    // The draft has moved onto the resource that came back, which has an annotation more.
    await page.getByText('a change of others merged in').waitFor();
    expect(await page.getByText('This resource was removed.').count()).toBe(0);
    await page.locator('.cm-line', { hasText: 'model: Mine' }).waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor({ state: 'attached' });
    expect(await specOf('lost')).toEqual({ model: 'Mine', color: 'red' });
  });

  it('ask before a restore leaves a text for the page of another name', async () => {
    await make('kept');
    const page = await console.open('operator', `${tractorsPage}/acme/hill/kept?tab=yaml`);
    await replaceIn(page, 'model: M-1', 'model: Mine');
    await remove('kept');
    await page.getByRole('button', { name: 'Restore…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('renamed');
    await dialog.getByText('hill / renamed').waitFor();
    const questions: string[] = [];
    page.once('dialog', (question) => {
      questions.push(question.message());
      void question.dismiss();
    });
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('status').filter({ hasText: 'is restored' }).waitFor({ state: 'attached' });
    await page.locator('.cm-line', { hasText: 'model: Mine' }).waitFor();
    expect(questions).toEqual(['Leave without saving? Your input will be lost.']);
    expect(await specOf('renamed')).toEqual({ model: 'M-1', color: 'red' });
  });

  it('are created again from their last state, also where the page was opened afterwards', async () => {
    const uid = await make('former');
    await remove('former');
    const page = await console.open('operator', `${tractorsPage}/uid:${uid}?tab=yaml`, { allow: [404] });
    await page.getByText('The resource was removed, so this text cannot be saved.').waitFor();
    expect(await page.getByText('It stays here until you leave.').count()).toBe(0);
    await look(page, 'former-yaml');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create it again from this text' }).click();
    await replaceIn(page, 'model: M-1', 'model: M-2');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('This resource was removed.').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'former', level: 1 }).waitFor();
    expect(await specOf('former')).toEqual({ model: 'M-2', color: 'red' });
  });
});
