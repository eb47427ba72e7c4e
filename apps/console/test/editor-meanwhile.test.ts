import { WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, resource, tractors, tractorsPage } from './farm.ts';
import { makeTenants } from './tenants.ts';
import { holdBack, replaceIn } from './typing.ts';

describeWhereInstalled('typing goes on meanwhile (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi();
  const console = new ConsoleBrowser(api);
  beforeAll(async () => {
    await makeFarm(api);
    await makeTenants(api);
  });

  const change = (name: string, spec: object) =>
    api
      .as('operator', 'patch', `${tractors}/${name}`)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify({ spec }))
      .expect(200);
  const spec = async (name: string) =>
    (await api.as('operator', 'get', `${tractors}/${name}`).expect(200)).body.spec;

  it('offers to save only the text that was reviewed, and keeps what is typed while it is saved', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/big-red?tab=yaml`);
    const review = page.getByRole('button', { name: 'Review' });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const checking = await holdBack(page, 'PUT', /\?dryRun=true$/);
    await replaceIn(page, 'model: M-120', 'model: Reviewed');
    await review.click();
    await checking.isAsked;
    await replaceIn(page, 'model: Reviewed', 'model: Unseen');
    checking.release();
    await page.getByRole('button', { name: 'Review', disabled: false }).waitFor();
    expect(await save.count()).toBe(0);
    await review.click();
    const saving = await holdBack(page, 'PUT', /\/tractors\/uid:[^/?]+$/);
    await save.click();
    await saving.isAsked;
    await replaceIn(page, 'color: red', 'color: blue');
    saving.release();
    await page.getByText('Saved', { exact: true }).waitFor({ state: 'attached' });
    await page.locator('.cm-line', { hasText: 'color: blue' }).waitFor();
    expect(await page.getByRole('region', { name: 'Conflicts' }).count()).toBe(0);
    expect(await spec('acme/hill/big-red')).toMatchObject({ model: 'Unseen', color: 'red' });
    await review.click();
    await page.getByRole('region', { name: 'Difference' }).getByText('+   color: blue').waitFor();
    await save.click();
    await page.getByText('Revision 3', { exact: true }).waitFor();
    expect(await spec('acme/hill/big-red')).toMatchObject({ model: 'Unseen', color: 'blue' });
  });

  it('loses no key that is typed while the page is drawn', async () => {
    const page = await console.open('operator', `${tractorsPage}/globex/lake/blue-one?tab=yaml`);
    await page.locator('.cm-line', { hasText: 'model:' }).click();
    await page.keyboard.press('End');
    const typed = String(await page.evaluate(typeAtEveryMoment));
    await page.locator('.cm-line', { hasText: `model: M-80${typed}` }).waitFor();
  });

  it('asks about a conflict until it is answered, and takes theirs only into a text that can be parsed', async () => {
    const page = await console.open('operator', `${tractorsPage}/acme/hill/old-green?tab=yaml`);
    await replaceIn(page, 'model: M-35', 'model: Mine');
    await change('acme/hill/old-green', { model: 'Theirs' });
    const conflicts = page.getByRole('region', { name: 'Conflicts' });
    await conflicts.waitFor();
    await change('acme/hill/old-green', { horsepower: 36 });
    await page.getByText('a change of others merged in').waitFor();
    expect(await conflicts.count()).toBe(1);
    await replaceIn(page, 'model: Mine', 'model: [');
    const take = page.getByRole('button', { name: 'Take theirs for spec.model' });
    await conflicts.getByText('Correct the text before you take theirs.').waitFor();
    expect(await take.isDisabled()).toBe(true);
    await look(page, 'conflict-broken-text');
    await expectAccessible(page);
    await replaceIn(page, 'model: [', 'model: Mine');
    await take.click();
    await page.getByText('Revision 3, a change of others merged in', { exact: true }).waitFor();
    await page.locator('.cm-line', { hasText: 'model: Theirs' }).waitFor();
  });

  it('merges what another resource has that takes the name, and replaces nothing of it unseen', async () => {
    const twin = async (color: string) => {
      const spec = { model: 'M-1', color, horsepower: 1 };
      const body = resource('Tractor', 'twin', spec);
      await api.as('operator', 'post', `${tractors}/acme/hill`).send(body).expect(201);
    };
    await twin('red');
    const page = await console.open('operator', `${tractorsPage}/acme/hill/twin?tab=yaml`);
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await replaceIn(page, 'model: M-1', 'model: Mine');
    await page.getByRole('button', { name: 'Review' }).click();
    await save.waitFor();
    await api.as('operator', 'delete', `${tractors}/acme/hill/twin`).expect(200);
    await page.getByText('This resource was removed.').waitFor();
    await twin('green');
    await page.getByText('Revision 1, changed, a change of others merged in', { exact: true }).waitFor();
    await page.locator('.cm-line', { hasText: 'color: green' }).waitFor();
    expect(await save.count()).toBe(0);
    await page.locator('.cm-line', { hasText: 'model: Mine' }).click();
    await page.keyboard.press('Control+z');
    await page.locator('.cm-line', { hasText: 'model: Mine' }).waitFor({ state: 'detached' });
    expect(await page.locator('.cm-line', { hasText: 'color: green' }).count()).toBe(1);
    await page.keyboard.press('Control+y');
    await page.locator('.cm-line', { hasText: 'model: Mine' }).waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await save.click();
    await page.getByText('Revision 2', { exact: true }).waitFor();
    expect(await spec('acme/hill/twin')).toMatchObject({ model: 'Mine', color: 'green' });
  });

  it('says that the resource was removed, saves nothing to it, and creates it again from the text', async () => {
    const lost = resource('Tractor', 'lost', { model: 'M-1', color: 'red', horsepower: 1 });
    await api.as('operator', 'post', `${tractors}/acme/hill`).send(lost).expect(201);
    const page = await console.open('operator', `${tractorsPage}/acme/hill/lost?tab=yaml`);
    const review = page.getByRole('button', { name: 'Review' });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await replaceIn(page, 'model: M-1', 'model: Mine');
    await review.click();
    await save.waitFor();
    await api.as('operator', 'delete', `${tractors}/acme/hill/lost`).expect(200);
    await page
      .getByRole('alert')
      .getByText('The resource was removed, so this text cannot be saved.')
      .waitFor();
    expect([await save.isDisabled(), await review.isDisabled()]).toEqual([true, true]);
    expect(await page.getByText('There is no such resource').count()).toBe(0);
    await look(page, 'editor-removed');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create it again from this text' }).click();
    await page.locator('.cm-line', { hasText: 'model: Mine' }).waitFor();
    await look(page, 'editor-create-again');
    await expectAccessible(page);
    await review.click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'lost', level: 1 }).waitFor();
    await page.getByText('This resource was removed.').waitFor({ state: 'detached' });
    expect(await spec('acme/hill/lost')).toEqual({ model: 'Mine', color: 'red', horsepower: 1 });
  });

  it('notices at a save that the resource was removed where nothing is live, and keeps what is typed', async () => {
    const quiet = resource('Tractor', 'quiet', { model: 'M-1' });
    await api.as('operator', 'post', `${tractors}/acme/hill`).send(quiet).expect(201);
    const { body } = await api.as('operator', 'get', `${tractors}/acme/hill/quiet`).expect(200);
    const page = await console.open('operator', `${tractorsPage}/uid:${body.metadata.uid}?tab=yaml`, {
      allow: [403, 404],
      before: (one) => one.route(/watch=true/, (route) => route.fulfill({ status: 403, json: {} })),
    });
    await replaceIn(page, 'model: M-1', 'model: Mine');
    await page.getByRole('button', { name: 'Review' }).click();
    await api.as('operator', 'delete', `${tractors}/acme/hill/quiet`).expect(200);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The resource was removed, so this text cannot be saved.').waitFor();
    await page.getByText('This resource was removed. The page shows its last state.').waitFor();
    await page.locator('.cm-line', { hasText: 'model: Mine' }).waitFor();
  });

  it('takes back by undo what was typed, and not what others have stored', async () => {
    const page = await console.open('operator', `${tractorsPage}/globex/lake/blue-one?tab=yaml`);
    await replaceIn(page, 'model: M-80', 'model: Typed');
    await change('globex/lake/blue-one', { horsepower: 81 });
    await page.locator('.cm-line', { hasText: 'horsepower: 81' }).waitFor();
    await page.getByText('a change of others merged in').waitFor();
    await page.locator('.cm-line', { hasText: 'model: Typed' }).click();
    await page.keyboard.press('Control+z');
    await page.locator('.cm-line', { hasText: 'model: Typed' }).waitFor({ state: 'detached' });
    expect(await page.locator('.cm-line', { hasText: 'horsepower: 81' }).count()).toBe(1);
  });

  it('keeps what is typed while a new resource is created, and the reason while it is reviewed again', async () => {
    const page = await console.open('operator', '/new/farm.example.dev/v1/tractors/acme/hill');
    const review = page.getByRole('button', { name: 'Review' });
    const reason = page.getByLabel(/^Reason/);
    await page.locator('.cm-line', { hasText: 'name:' }).waitFor();
    await replaceIn(page, 'name:', 'name: typed-on');
    await replaceIn(page, 'model:', 'model: Reviewed');
    await review.click();
    await reason.fill('bought');
    await replaceIn(page, 'model: Reviewed', 'model: Again');
    await reason.waitFor({ state: 'detached' });
    await review.click();
    expect(await reason.inputValue()).toBe('bought');
    const creating = await holdBack(page, 'POST', /\/tractors\/acme\/hill$/);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await creating.isAsked;
    await replaceIn(page, 'model: Again', 'model: Unseen');
    creating.release();
    await page.getByText('without what you typed since').waitFor();
    await page.locator('.cm-line', { hasText: 'model: Unseen' }).waitFor();
    await look(page, 'created-unseen');
    await expectAccessible(page);
    expect(await spec('acme/hill/typed-on')).toMatchObject({ model: 'Again' });
    page.once('dialog', (question) => void question.accept());
    await page.getByRole('link', { name: 'typed-on' }).click();
    await page.getByRole('heading', { name: 'typed-on', level: 1 }).waitFor();
  });

  it('keeps what is typed into the form of a new resource, whether it is created or refused', async () => {
    const page = await console.open('admin', '/tenants?tab=teams', { allow: [403, 409] });
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Name', { exact: true });
    const address = dialog.getByLabel('E-mail address 1');
    const create = dialog.getByRole('button', { name: 'Create the team' });
    await page.getByRole('button', { name: 'New team' }).click();
    await dialog.getByRole('button', { name: 'Add a member' }).click();
    await address.fill('ann@example.dev');
    for (const [team, text] of [
      ['makers', 'refused'],
      ['menders', 'created'],
    ] as const) {
      await name.fill(team);
      const creating = await holdBack(page, 'POST', /\/teams$/);
      await create.click();
      await creating.isAsked;
      await address.fill(`${text}@example.dev`);
      creating.release();
      await (text === 'refused'
        ? dialog.getByText('already_exists').waitFor()
        : dialog.getByText('without what you typed while it was created').waitFor());
      expect(await address.inputValue()).toBe(`${text}@example.dev`);
      await page.unroute(/\/teams$/);
    }
    await look(page, 'created-meanwhile');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('heading', { name: 'menders', level: 1 }).waitFor();
  });

  it('keeps what is typed into a form while it is saved', async () => {
    const page = await console.open('admin', '/tenants/teams/makers', { allow: [403] });
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    const address = (index: number) => dialog.getByLabel(`E-mail address ${index}`);
    await dialog.getByRole('button', { name: 'Add a member' }).click();
    await address(2).fill('ann@example.dev');
    const saving = await holdBack(page, 'PUT', /\/teams\/makers$/);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await saving.isAsked;
    await address(2).fill('anna@example.dev');
    saving.release();
    await dialog.getByText('without what you typed while it was saved').waitFor();
    expect(await address(2).inputValue()).toBe('anna@example.dev');
    await look(page, 'form-typed-meanwhile');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('anna@example.dev').waitFor();
  });
});

/** Types a letter every few tasks of the page, so that some come between a render and its effects. */
const typeAtEveryMoment = `new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  let typed = '';
  let wait = 0;
  port1.onmessage = () => {
    if (typed.length === 300) return resolve(typed);
    wait -= 1;
    if (wait <= 0) {
      const letter = String.fromCharCode(97 + (typed.length % 26));
      document.execCommand('insertText', false, letter);
      typed += letter;
      wait = typed.length % 7;
    }
    port2.postMessage(null);
  };
  port2.postMessage(null);
})`;
