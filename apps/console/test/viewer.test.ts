import { WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, resource, tractors, tractorsPage } from './farm.ts';

describeWhereInstalled(
  'what viewers and readers may do in the console (skipped where Debian’s chromium is missing)',
  () => {
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
      expect(await page.getByRole('menuitem', { name: /^Delete…/ }).getAttribute('aria-disabled')).toBe(
        'true',
      );
      await expectAccessible(page);
      await look(page, 'actions-viewer');
      await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill/big-red?tab=yaml`);
      await page.getByText('that needs the verb update').waitFor();
      await expectAccessible(page);
      await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill`);
      await page.getByText('You may not create tractors here').waitFor();
      expect(await page.getByRole('link', { name: 'New Tractor' }).count()).toBe(0);
    });

    it('shows the last state of what was removed to those who may see a part, without a way to restore it', async () => {
      const body = resource('Tractor', 'sold', { model: 'S' });
      const { body: sold } = await api.as('operator', 'post', `${tractors}/acme/hill`).send(body).expect(201);
      await api.as('operator', 'delete', `${tractors}/acme/hill/sold`).expect(200);
      const platform = '/api/v1/resources/platform.dev/v1alpha1';
      const { body: acme } = await api.as('operator', 'get', `${platform}/organizations/acme`).expect(200);
      const { apiVersion, kind, metadata } = acme;
      const scope = { apiVersion, kind, name: 'acme', uid: metadata.uid };
      const email = 'part@example.dev';
      await api
        .as('operator', 'post', `${platform}/rolebindings`)
        .send({
          apiVersion,
          kind: 'RoleBinding',
          metadata: { name: 'part' },
          spec: { roleRef: { name: 'viewer' }, subjects: [{ kind: 'User', name: email }], scope },
        })
        .expect(201);
      const page = await console.open(
        { uid: '0190d2f0-0000-7000-8000-0000000000ab', email },
        '/removed?kind=tractors.farm.example.dev&in=acme/hill',
        { allow: [403] },
      );
      await page.getByText('You may not restore tractors here').waitFor();
      expect(await page.getByRole('button', { name: /^Restore…/ }).count()).toBe(0);
      await expectAccessible(page);
      await page.getByRole('link', { name: 'acme / hill / sold' }).click();
      await page.getByText('This resource was removed.').waitFor();
      await page.getByText(sold.metadata.uid).waitFor();
      expect(await page.getByRole('button', { name: 'Restore…' }).isDisabled()).toBe(true);
      await page.getByText('needs the verb restore').waitFor();
      await look(page, 'removed-viewer');
      await expectAccessible(page);
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
  },
);
