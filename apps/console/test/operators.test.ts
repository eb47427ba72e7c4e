import { people, WholeApi } from '@platform/api/testing';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, makeSubscription, subscriptions, tractors, tractorsPage } from './farm.ts';

describeWhereInstalled(
  'graphs, subscriptions and bulk changes (skipped where Debian’s chromium is missing)',
  () => {
    const api = new WholeApi();
    const console = new ConsoleBrowser(api);
    const hill = { uid: '' };
    beforeAll(async () => {
      await makeFarm(api);
      await makeSubscription(api);
      const { body } = await api.as('operator', 'get', `${tractors.replace('tractors', 'farms')}/acme/hill`);
      hill.uid = body.metadata.uid;
    });

    it('draws as many levels below a resource as one asks for', async () => {
      const page = await console.open('operator', '/r/platform.dev/v1alpha1/organizations/acme?tab=graph');
      const drawing = page.locator('.graph');
      await drawing.getByRole('link', { name: 'big-red' }).waitFor();
      await look(page, 'graph-levels');
      await expectAccessible(page);
      await page.getByLabel('Levels below').selectOption('1');
      await drawing.getByRole('link', { name: 'big-red' }).waitFor({ state: 'detached' });
      await drawing.getByRole('link', { name: 'hill' }).waitFor();
      await page.reload();
      expect(await page.getByLabel('Levels below').inputValue()).toBe('1');
      await page.getByLabel('Levels below').selectOption('2');
      await page.getByRole('button', { name: 'Show as a list' }).click();
      await page.getByRole('listitem').filter({ hasText: 'hill' }).getByText('big-red').waitFor();
      await expectAccessible(page);
    });

    it('folds many siblings into a box that leads to their table', async () => {
      await Promise.all(
        Array.from({ length: 9 }, (_, index) =>
          api
            .as('operator', 'post', `${tractors}/globex/lake`)
            .send({
              apiVersion: 'farm.example.dev/v1',
              kind: 'Tractor',
              metadata: { name: `fleet-${index}` },
              spec: { model: 'F' },
            })
            .expect(201),
        ),
      );
      const page = await console.open('operator', '/r/platform.dev/v1alpha1/organizations/globex?tab=graph');
      await page.getByText('10 resources are in groups').waitFor();
      await page.getByRole('link', { name: '10 × Tractor' }).click();
      await page.getByRole('heading', { name: 'tractors', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/console${tractorsPage}/globex/lake`);
    });

    it('says why a delivery is paused, suspends and resumes it', async () => {
      const page = await console.open('operator', '/ops/subscriptions');
      const row = page.getByRole('row', { name: /farm-hook/ });
      await row.getByText('Tractor.farm.example.dev with tier=field').waitFor();
      await expectAccessible(page);
      await row.getByRole('button', { name: 'Suspend' }).click();
      await row.getByText('Suspended', { exact: true }).waitFor();
      const stored = () =>
        api.as('operator', 'get', `${subscriptions}/farm-hook`).then(({ body }) => body.spec);
      expect(await stored()).toMatchObject({ suspend: true });
      await row.getByRole('button', { name: 'Resume' }).click();
      await row.getByRole('button', { name: 'Suspend' }).waitFor();
      expect(await stored()).toMatchObject({ suspend: false });

      // The collector, which is not part of this test, writes the status of a pause.
      await page.route(/\/subscriptions\?limit=1000$/, async (route) => {
        const response = await route.fetch();
        const list = await response.json();
        const message = 'delivery failed for 24 hours, at last: the receiver answered 503';
        const condition = { type: 'Delivering', status: 'False', reason: 'DeliveryFailed', message };
        list.items[0].status = { controllers: { platform: { conditions: [condition] } } };
        await route.fulfill({ response, json: list });
      });
      await page.reload();
      await row.getByText('Paused: DeliveryFailed').waitFor();
      await row.getByText('the receiver answered 503').waitFor();
      await look(page, 'subscriptions-paused');
      await expectAccessible(page);
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await row.getByRole('button', { name: 'Resume' }).click();
      await saved;
      // Any change of the spec ends a pause: false was stored, and is taken away.
      expect(await stored()).not.toHaveProperty('suspend');
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });

    it('offers for selected rows what the caller may do with every one of them', async () => {
      await api
        .as('operator', 'post', '/api/v1/resources/platform.dev/v1alpha1/roles')
        .send({
          apiVersion: 'platform.dev/v1alpha1',
          kind: 'Role',
          metadata: { name: 'red-keeper' },
          spec: {
            rules: [
              { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
              {
                apiGroups: ['farm.example.dev'],
                resources: ['tractors'],
                verbs: ['delete'],
                resourceNames: ['big-red'],
              },
            ],
          },
        })
        .expect(201);
      await api
        .as('operator', 'post', '/api/v1/resources/platform.dev/v1alpha1/rolebindings')
        .send({
          apiVersion: 'platform.dev/v1alpha1',
          kind: 'RoleBinding',
          metadata: { name: 'red-keepers' },
          spec: {
            roleRef: { name: 'red-keeper' },
            subjects: [{ kind: 'User', name: people.member }],
            scope: { apiVersion: 'farm.example.dev/v1', kind: 'Farm', name: 'hill', uid: hill.uid },
          },
        })
        .expect(201);
      const page = await console.open('member', `${tractorsPage}/acme/hill`, { allow: [403] });
      await page.getByRole('checkbox', { name: 'Select big-red' }).check();
      const bar = page.getByRole('region', { name: 'Selection' });
      await bar.getByText('You may not label 1 of them.').waitFor();
      expect(await bar.getByRole('button', { name: 'Label…' }).isDisabled()).toBe(true);
      expect(await bar.getByRole('button', { name: 'Delete…' }).isDisabled()).toBe(false);
      await page.getByRole('checkbox', { name: 'Select old-green' }).check();
      await bar.getByText('You may not delete 1 of them.').waitFor();
      expect(await bar.getByRole('button', { name: 'Delete…' }).isDisabled()).toBe(true);
      await look(page, 'bulk-refused');
      await expectAccessible(page);
    });

    it('opens a resource by its name for somebody who may get it and not list the others', async () => {
      const made = (plural: string, kind: string, name: string, spec: object) =>
        api
          .as('operator', 'post', `/api/v1/resources/platform.dev/v1alpha1/${plural}`)
          .send({ apiVersion: 'platform.dev/v1alpha1', kind, metadata: { name }, spec })
          .expect(201);
      const email = 'getter@example.dev';
      const rules = [{ apiGroups: ['farm.example.dev'], resources: ['tractors'], verbs: ['get'] }];
      await made('roles', 'Role', 'getter', { rules });
      await made('rolebindings', 'RoleBinding', 'getters', {
        roleRef: { name: 'getter' },
        subjects: [{ kind: 'User', name: email }],
      });
      const person = { uid: '0190d2f0-0000-7000-8000-0000000000ab', email };
      const page = await console.open(person, `${tractorsPage}/acme/hill`, { allow: [403] });
      await page.getByText('You may not list tractors here').waitFor();
      await look(page, 'open-by-name');
      await expectAccessible(page);
      await page.getByLabel('Name of one of the tractors').fill('big-red');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'big-red', level: 1 }).waitFor();
      await page.getByText('Not live', { exact: true }).waitFor();
    });

    it('asks before it loses what was typed, in an editor and in a form', async () => {
      const page = await console.open('admin', '/tenants?tab=teams', { allow: [403] });
      const questions: string[] = [];
      page.on('dialog', (dialog) => {
        questions.push(dialog.message());
        void (questions.length % 2 === 1 ? dialog.dismiss() : dialog.accept());
      });
      await page.getByRole('button', { name: 'New team' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('makers');
      await page.keyboard.press('Escape');
      expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('makers');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(questions).toHaveLength(2);
    });
  },
);
