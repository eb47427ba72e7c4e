import { people, WholeApi } from '@platform/api/testing';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { holdBack } from './typing.ts';

describeWhereInstalled('tenants in the console (skipped where Debian’s chromium is missing)', () => {
  const api = new WholeApi(() => ({ auth: { operator_users: [people.operator, people.admin] } }));
  const console = new ConsoleBrowser(api);
  const dialog = (page: Page) => page.getByRole('dialog');
  /** The tab of the owner of the project, at that page. */
  const owner = async (path: string) => {
    const page = await console.tab('owner', { allow: [403, 422] });
    await console.go(page, path);
    return page;
  };
  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { name, level: 1, exact: true }).waitFor();

  it('creates an organization, changes it and shows what is below', async () => {
    const page = await console.open('operator', '/tenants?tab=organizations');
    await page.getByRole('button', { name: 'New organization' }).click();
    await dialog(page).getByLabel('Name', { exact: true }).fill('acme');
    await dialog(page)
      .getByLabel(/^Display name/)
      .fill('ACME');
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Create the organization' }).click();
    await heading(page, 'acme');
    await page.getByText('ACME', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog(page)
      .getByLabel(/^Description/)
      .fill('Makes anvils');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Makes anvils').waitFor();
    await expectAccessible(page);
  });

  it('creates a project and a team, merges what others change, and asks about the same place', async () => {
    const page = await console.open('admin', '/tenants?tab=teams', { allow: [400, 403, 412] });
    await page.getByRole('button', { name: 'New team' }).click();
    await dialog(page).getByLabel('Name', { exact: true }).fill('Makers');
    await dialog(page).getByRole('button', { name: 'Add a member' }).click();
    await dialog(page).getByLabel('E-mail address 1').fill('owner@example.dev');
    await dialog(page).getByLabel('Role 1').selectOption('owner');
    await dialog(page).getByRole('button', { name: 'Create the team' }).click();
    // The refusal stands at its field, and nothing that was typed is lost.
    await dialog(page).locator('.field .fault').first().waitFor();
    await expectAccessible(page);
    await dialog(page).getByLabel('Name', { exact: true }).fill('makers');
    await dialog(page).getByRole('button', { name: 'Create the team' }).click();
    await heading(page, 'makers');

    await console.go(page, '/tenants');
    await page.getByRole('button', { name: 'New project' }).click();
    await dialog(page).getByLabel('Name', { exact: true }).fill('shop');
    await dialog(page).getByLabel('Kind of owner').selectOption('team');
    await dialog(page)
      .getByLabel(/^Owner/)
      .fill('makers');
    await dialog(page).getByRole('button', { name: 'Create the project' }).click();
    await heading(page, 'shop');
    await look(page, 'project');

    await page.getByRole('button', { name: 'Edit' }).click();
    const members = dialog(page).getByLabel(/^Members/);
    await members.fill('bob@example.dev');
    const owner = { team: 'makers' };
    const put = (body: object) => api.as('admin', 'put', '/api/v1/projects/shop').send(body).expect(200);
    await put({ owner, access_class: 'public' });
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).getByText('Their changes are merged in').waitFor();
    expect(await members.inputValue()).toBe('bob@example.dev');
    await put({ owner, access_class: 'public', members: ['eve@example.dev'] });
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).getByRole('region', { name: 'Conflicts' }).waitFor();
    await look(page, 'project-conflict');
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Keep mine' }).click();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    const { body } = await api.as('admin', 'get', '/api/v1/projects/shop').expect(200);
    expect(body).toMatchObject({ access_class: 'public', members: ['bob@example.dev'] });
  });

  it('shows a bootstrap credential once, and rotates it with an overlap', async () => {
    const page = await owner('/tenants/shop?tab=deployments');
    await page.getByRole('button', { name: 'New deployment' }).click();
    await dialog(page).getByRole('button', { name: 'Create the deployment' }).click();
    const first = await secretIn(page);
    await expectAccessible(page);
    // Accident: the dialog is closed before the credential is copied, and nothing shows it again.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    expect(await secretIn(page)).toBe(first);
    await look(page, 'new-credential');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    expect(await page.locator('body').textContent()).not.toContain(first);
    await page.getByRole('cell').getByRole('link').first().click();
    await page.getByRole('button', { name: 'Rotate the credential…' }).click();
    await dialog(page)
      .getByLabel(/old one/)
      .selectOption('a day');
    const rotating = await holdBack(page, 'POST', /\/rotate-credential$/);
    await dialog(page).getByRole('button', { name: 'Rotate the credential' }).click();
    await rotating.isAsked;
    // Accident: the dialog is closed before the answer with the credential is there.
    await page.keyboard.press('Escape');
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    rotating.release();
    const second = await secretIn(page);
    expect(second).not.toBe(first);
    await look(page, 'credential');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.locator('button:focus', { hasText: 'Rotate the credential…' }).waitFor();
    await page.getByText('The one before is valid').waitFor();
    const token = (credential: string) =>
      fetch(`${api.publicUrl}/api/v1/identity/token`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${credential}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ audience: 'sts.example' }),
      });
    expect([(await token(first)).status, (await token(second)).status]).toEqual([200, 200]);
  });

  it('creates a service account and an environment, and says what keeps an environment', async () => {
    const page = await owner('/tenants/shop?tab=accounts');
    await page.getByRole('button', { name: 'New service account' }).click();
    await dialog(page).getByLabel('Name', { exact: true }).fill('ci');
    await dialog(page).getByLabel('Issuer').fill('https://token.actions.githubusercontent.com');
    await dialog(page).getByLabel('Pattern 1').fill('sts.example');
    await dialog(page).getByLabel('Pattern 2').fill('repo:acme/shop:*');
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Create the service account' }).click();
    await heading(page, 'ci');
    await page.getByText('sub=repo:acme/shop:*').waitFor();
    await console.go(page, '/tenants/shop/environments/production');
    await page.getByRole('button', { name: 'Delete…' }).click();
    await dialog(page).getByText('A deployment runs in it. Delete it first.').waitFor();
    expect(await dialog(page).getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
    await expectAccessible(page);
  });

  it('says that it is not known what is below an environment or a project', async () => {
    const deployments = /\/projects\/shop\/deployments\?/;
    const page = await console.open('owner', '/tenants/shop/environments/production', {
      allow: [403],
      before: (one) => one.route(deployments, (route) => route.fulfill({ status: 403, body: '{}' })),
    });
    await page.getByText('You may not list its deployments').waitFor();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await dialog(page).getByText('Whether deployments run in it is not known yet.').waitFor();
    expect(await dialog(page).getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await console.go(page, '/tenants/shop');
    await page.getByRole('button', { name: 'Delete…' }).click();
    await dialog(page).getByText('unknown').waitFor();
  });

  it('creates an extension with a sealed secret, and rotates the secret of the app', async () => {
    const page = await owner('/tenants/shop?tab=extensions');
    await page.getByRole('button', { name: 'New extension' }).click();
    await dialog(page).getByLabel('Name', { exact: true }).fill('sign-in');
    await dialog(page).getByLabel('Provider', { exact: true }).fill('Example');
    await dialog(page).getByLabel('Issuer of the provider').fill('https://idp.invalid');
    await dialog(page).getByLabel('Client id at the provider').fill('upstream');
    await dialog(page).getByLabel('Client secret at the provider').fill('secret of the provider');
    await dialog(page)
      .getByLabel(/^Redirect URIs/)
      .fill('https://shop.example.com/callback');
    await look(page, 'extension-form');
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Create the extension' }).click();
    const first = await secretIn(page);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name: 'sign-in' }).click();
    await page.getByText('https://shop.example.com/callback').waitFor();
    expect(await page.locator('body').textContent()).not.toContain(first);
    await look(page, 'extension');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog(page)
      .getByLabel(/^Description/)
      .fill('For customers');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('For customers').waitFor();
    await page.getByRole('button', { name: 'Rotate the secret…' }).click();
    const rotating = await holdBack(page, 'POST', /\/rotate-secret$/);
    await dialog(page).getByRole('button', { name: 'Rotate the secret' }).click();
    await rotating.isAsked;
    await page.keyboard.press('Escape');
    rotating.release();
    expect(await secretIn(page)).not.toBe(first);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await console.go(page, '/tenants/shop/extensions/sign-in?tab=doctor');
    await page.getByText('Not healthy').waitFor();
    await page.getByText('To do:').first().waitFor();
    await look(page, 'doctor');
    await expectAccessible(page);
  });

  it('lists the logins of an extension with the reason of each that failed', async () => {
    const authorize = `${api.publicUrl}/oidc/shop/sign-in/authorize`;
    await fetch(`${authorize}?redirect_uri=https://evil.example/&state=x`, { redirect: 'manual' });
    const page = await console.open('admin', '/tenants/shop/extensions/sign-in?tab=logins');
    await page.getByRole('region', { name: 'Logins' }).getByText('Failed').waitFor();
    await look(page, 'logins');
    await expectAccessible(page);
    await page.getByLabel('Outcome').selectOption('completed');
    await page.getByText('No login has completed').waitFor();
    // Members of the project read them, too: they repair what is refused.
    const member = await owner('/tenants/shop?tab=logins');
    await member.getByRole('region', { name: 'Logins' }).getByText('Failed').waitFor();
    // Who may read the audit, but does not belong to the project, is told no more than a stranger.
    const other = await console.open('operator', '/tenants/shop/extensions/sign-in', { allow: [403] });
    await other.getByText('You may not see this extension').waitFor();
  });

  it('gives the records that prove a domain', async () => {
    const page = await owner('/tenants/shop?tab=domains');
    await page.getByLabel('Hosts').fill('www.shop.example');
    await page.keyboard.press('Enter');
    await page.getByText('_platform-challenge.www.shop.example').waitFor();
    await look(page, 'domains');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog(page)
      .getByLabel(/^Custom domains/)
      .fill('https://www.shop.example');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).getByRole('region', { name: 'Records to publish' }).waitFor();
    await expectAccessible(page);
  });

  it('says what is deleted with a project, and deletes it by its name', async () => {
    const page = await owner('/tenants/shop');
    await page.getByRole('button', { name: 'Delete…' }).click();
    await dialog(page).getByText('1 sign-in').waitFor();
    const confirm = dialog(page).getByRole('button', { name: 'Delete', exact: true });
    expect(await confirm.isDisabled()).toBe(true);
    await look(page, 'project-delete');
    await expectAccessible(page);
    await dialog(page).getByLabel('Type shop to confirm').fill('shop');
    await confirm.click();
    await heading(page, 'Tenants');
    await page.getByText('You belong to no project').waitFor();
  });
});

async function secretIn(page: Page): Promise<string> {
  await page.getByText('This is shown once').waitFor();
  return (await page.getByRole('dialog').locator('.command code').textContent()) ?? '';
}
