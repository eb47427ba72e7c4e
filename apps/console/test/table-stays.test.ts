import { WholeApi } from '@platform/api/testing';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeWhereInstalled, expectAccessible, look } from './console-browser.ts';
import { makeFarm, tractors, tractorsPage } from './farm.ts';

describeWhereInstalled(
  'a table under the hands of its user (skipped where Debian’s chromium is missing)',
  () => {
    const api = new WholeApi();
    const console = new ConsoleBrowser(api);
    beforeAll(() => makeFarm(api));
    const hill = `${tractorsPage}/acme/hill`;
    const create = (path: string) => {
      const [place, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
      return api
        .as('operator', 'post', `${tractors}/${place}`)
        .send({
          apiVersion: 'farm.example.dev/v1',
          kind: 'Tractor',
          metadata: { name },
          spec: { model: 'New' },
        })
        .expect(201);
    };
    const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

    it('moves nothing while the focus is in it, also when the pointer passes by', async () => {
      const page = await console.open('operator', hill);
      await link(page, 'old-green').waitFor();
      await page.getByRole('grid').focus();
      await page.keyboard.press('j');
      await page.getByRole('row', { name: /old-green/ }).hover();
      await page.getByRole('heading', { name: 'tractors', level: 1 }).hover();
      await create('acme/hill/a-first');
      await page.waitForTimeout(1500);
      await page.getByRole('button', { name: '1 new. Apply' }).waitFor();
      expect(await link(page, 'a-first').count()).toBe(0);
      // A screen reader does not see the button.
      await page.getByRole('status').getByText('1 new in tractors').waitFor({ state: 'attached' });
    });

    it('shows a new resource after its last one was gone under the pointer', async () => {
      const page = await console.open('operator', `${tractorsPage}/globex/lake`);
      await page.getByRole('row', { name: /blue-one/ }).hover();
      await api.as('operator', 'delete', `${tractors}/globex/lake/blue-one`).expect(200);
      await page.getByRole('button', { name: '1 gone. Apply' }).press('Enter');
      await page.getByText('No tractors here').waitFor();
      await create('globex/lake/blue-two');
      await link(page, 'blue-two').waitFor();
    });

    it('goes on by keys from the row that was clicked, and back into the table from the panel', async () => {
      const page = await console.open('operator', hill);
      await page.getByRole('row', { name: /old-green/ }).click({ position: { x: 500, y: 10 } });
      await page.keyboard.press('Enter');
      await page.getByRole('complementary', { name: 'Tractor old-green' }).waitFor();
      await page.getByRole('button', { name: 'Close the panel' }).click();
      await page.getByRole('complementary').waitFor({ state: 'detached' });
      expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('grid');
    });

    it('leads from the panel of a removed resource to its last state', async () => {
      await create('acme/hill/z-gone');
      const page = await console.open('operator', hill, { allow: [404] });
      await page.getByRole('row', { name: /z-gone/ }).click();
      await page.keyboard.press('Enter');
      const panel = page.getByRole('complementary', { name: 'Tractor z-gone' });
      await panel.waitFor();
      await api.as('operator', 'delete', `${tractors}/acme/hill/z-gone`).expect(200);
      await panel.getByText('Removed', { exact: true }).waitFor();
      await panel.getByRole('link', { name: 'Open the page of z-gone' }).click();
      await page.getByText('This resource was removed. The page shows its last state.').waitFor();
    });

    it('leaves the rows in their place when one is selected', async () => {
      const page = await console.open('operator', hill);
      const row = page.getByRole('row', { name: /old-green/ });
      const before = await row.boundingBox();
      await row.getByRole('checkbox').click();
      await page.getByText('1 selected').waitFor();
      await look(page, 'selected');
      await expectAccessible(page);
      expect(await row.boundingBox()).toEqual(before);
    });

    it('keeps the keys on a row while others come above it, also after a click on its box', async () => {
      const page = await console.open('operator', hill);
      const row = page.getByRole('row', { name: /old-green/ });
      await row.getByRole('checkbox').click();
      await page.getByText('1 selected').waitFor();
      await page.keyboard.press('Space');
      await page.getByText('1 selected').waitFor({ state: 'detached' });
      await row.getByRole('checkbox').click();
      await page.keyboard.press('k');
      await page.keyboard.press('j');
      await page.getByRole('heading', { name: 'tractors', level: 1 }).click();
      await create('acme/hill/a-second');
      await link(page, 'a-second').waitFor();
      await page.locator('.grid-row[data-focused=true]').getByRole('link', { name: 'old-green' }).waitFor();
      await row.getByRole('checkbox').click();
      await page.keyboard.press('Enter');
      await page.getByRole('complementary', { name: 'Tractor old-green' }).waitFor();
      await page.getByRole('button', { name: 'Close the panel' }).click();
      // The box of a row takes no letters, so those of the whole page work.
      await row.getByRole('checkbox').click();
      await page.keyboard.press('g');
      await page.keyboard.press('k');
      await page.getByRole('heading', { name: 'Kinds', level: 1 }).waitFor();
    });

    it('moves nothing while a menu is open', async () => {
      const page = await console.open('operator', hill);
      await link(page, 'old-green').waitFor();
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Age' }).waitFor();
      await create('acme/hill/a-third');
      await page.getByText('1 new. Apply').waitFor();
      expect(await link(page, 'a-third').count()).toBe(0);
      await page.keyboard.press('Escape');
      await link(page, 'a-third').waitFor();
    });

    it('moves nothing while it is scrolled, and leaves the rows in sight in their place when changes are applied', async () => {
      for (let index = 10; index < 70; index += 1) await create(`globex/lake/many-${index}`);
      const page = await console.open('operator', `${tractorsPage}/globex/lake`);
      await link(page, 'many-10').waitFor();
      await page.getByRole('grid').hover();
      await page.mouse.wheel(0, 960);
      await page.getByRole('heading', { name: 'tractors', level: 1 }).hover();
      const seen = page.getByRole('row', { name: /many-45/ });
      const before = await seen.boundingBox();
      await create('globex/lake/a-first');
      await page.getByRole('button', { name: '1 new. Apply' }).press('Enter');
      await page.getByRole('button', { name: '1 new. Apply' }).waitFor({ state: 'detached' });
      await page.waitForTimeout(500);
      expect(await seen.boundingBox()).toEqual(before);
      await page.locator('[role=grid]').evaluate((box) => Object(box).scrollTo(0, 0));
      await create('globex/lake/a-last');
      await link(page, 'a-last').waitFor();
    });

    it('does not ask later about a deletion that was refused', async () => {
      const page = await console.open('operator', hill);
      await page.route('**/api/v1/access/check', async (route) => {
        const { checks } = route.request().postDataJSON() as { checks: { verb: string }[] };
        await route.fulfill({
          json: { results: checks.map(({ verb }) => ({ allowed: verb !== 'delete' || checks.length > 1 })) },
        });
      });
      const box = (name: RegExp) => page.getByRole('row', { name }).getByRole('checkbox');
      await box(/big-red/).check();
      await box(/old-green/).check();
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Clear the selection' }).click();
      await page.getByRole('grid').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Delete');
      await page.getByText('You may not delete 1 of them.').waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Space');
      await page.getByText('2 selected').waitFor();
      await page.getByText('You may not').waitFor({ state: 'detached' });
      expect(await page.getByRole('dialog').count()).toBe(0);
    });
  },
);
