import { WholeApi } from '@platform/api/testing';
import { timeoutFactor } from '@platform/development/testing';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeWhereInstalled } from './console-browser.ts';
import { makeFarm, tractors, tractorsPage } from './farm.ts';
import { holdBack } from './typing.ts';

/** The element that has the focus: its role or tag, and its name. */
const focused = (page: Page) =>
  page.evaluate(`(() => {
    const { activeElement: at } = document;
    const text = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '';
    return (at.getAttribute('role') ?? at.tagName.toLowerCase()) + ' ' + text.trim().slice(0, 60);
  })()`) as Promise<string>;

/** Waits for the focus, which comes back to the opener of a dialog one frame after the dialog is gone. */
async function expectFocus(page: Page, wanted: RegExp): Promise<void> {
  for (let looks = 0; looks < 60 * timeoutFactor && !wanted.test(await focused(page)); looks += 1) {
    await page.waitForTimeout(50);
  }
  expect(await focused(page)).toMatch(wanted);
}

/** Whether one can see where the focus is, once a transition has ended. */
async function isVisible(page: Page): Promise<boolean> {
  for (let looks = 0; looks < 20 * timeoutFactor; looks += 1) {
    if (await isVisibleNow(page)) return true;
    await page.waitForTimeout(50);
  }
  return false;
}

const isVisibleNow = (page: Page) =>
  page.evaluate(`(() => {
    const { activeElement: at } = document;
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    const { width, height, bottom, top } = at.getBoundingClientRect();
    const marked = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
    const inside = bottom > 0 && top < innerHeight && width > 0 && height > 0;
    return inside && (marked || at.closest('[data-focus-visible], [data-focused], .cm-editor, [role=grid]') !== null);
  })()`) as Promise<boolean>;

/** Presses Tab until something has the focus. Fails for a focus that is on nothing, or that nobody sees. */
async function tabTo(page: Page, wanted: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let steps = 0; steps < 120; steps += 1) {
    await page.keyboard.press(key);
    const at = await focused(page);
    if (at.startsWith('body')) continue;
    if (!(await isVisible(page))) {
      // The panel of a tab takes the focus while it loads, and gives it up to what it has then: Tab goes on there.
      if ((await focused(page)).startsWith('body')) continue;
      throw new Error(`nobody sees that the focus is on: ${at}`);
    }
    if (wanted.test(at)) return;
  }
  throw new Error(`no ${key} leads to ${wanted}; the focus is on: ${await focused(page)}`);
}

describeWhereInstalled(
  'the main tasks without a pointer (skipped where Debian’s chromium is missing)',
  () => {
    const api = new WholeApi();
    const console = new ConsoleBrowser(api);
    beforeAll(() => makeFarm(api));
    const resourcePath = `${tractors}/acme/hill`;

    /** From anywhere to the table of tractors: the palette. */
    async function toTractors(page: Page): Promise<void> {
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type('tractors');
      await page
        .getByRole('menuitem', { name: /^tractors/ })
        .first()
        .waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'tractors', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'big-red' }).waitFor();
    }

    it('skips to the content, and finds a row by a filter', async () => {
      const page = await console.open('operator', '');
      await toTractors(page);
      await page.keyboard.press('/');
      await page.keyboard.type('green');
      await page.getByText('1 of 3 resources').waitFor();
      await tabTo(page, /^grid /);
      await page.keyboard.press('Enter');
      await page.getByRole('complementary', { name: 'Tractor old-green' }).waitFor();
    });

    it('deletes a resource from the table, and restores it', async () => {
      const page = await console.open('operator', '');
      await toTractors(page);
      await tabTo(page, /^grid /);
      await page.keyboard.press('Home');
      await page.keyboard.press('End');
      await page.keyboard.press('Delete');
      await page.getByRole('dialog', { name: 'Delete Tractor blue-one?' }).waitFor();
      await page.getByRole('dialog').getByText('Nothing else is deleted').waitFor();
      // The safe choice has the focus, and Escape leads back to the table.
      await expectFocus(page, /^button Cancel$/);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectFocus(page, /^grid /);
      await page.keyboard.press('Delete');
      await page.getByRole('button', { name: 'Delete', exact: true }).and(page.locator(':enabled')).waitFor();
      await tabTo(page, /Reason/, 'Shift+Tab');
      await page.keyboard.type('sold');
      await tabTo(page, /^button Delete/);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectFocus(page, /^(?!body)/);
      await api.as('operator', 'get', `${tractors}/globex/lake/blue-one`).expect(404);

      await page.keyboard.press('Control+k');
      await page.keyboard.type('removed');
      await page.getByRole('menuitem', { name: 'Removed' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Removed', level: 1 }).waitFor();
      await tabTo(page, /^button Kind/);
      await page.keyboard.press('Enter');
      await page.getByRole('searchbox', { name: 'Find a kind' }).waitFor();
      await page.keyboard.type('tractors');
      await page.getByRole('menuitem', { name: 'farms' }).waitFor({ state: 'detached' });
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Kind: tractors.farm.example.dev' }).waitFor();
      await tabTo(page, /^input Place/);
      await page.keyboard.type('globex/lake');
      await page.keyboard.press('Enter');
      await page.getByText('Restore… blue-one').waitFor();
      await tabTo(page, /^button Restore… blue-one/);
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Resources to restore' }).waitFor();
      await tabTo(page, /^button Restore$/);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'blue-one', level: 1 }).waitFor();
      await page.getByText('platform.dev/restored-from').waitFor();
      await expectFocus(page, /^h1 blue-one$/);
    });

    it('deletes from the page of a resource, and goes back to where it was after Escape', async () => {
      const page = await console.open('operator', `${tractorsPage}/acme/hill/old-green`);
      await page.getByRole('button', { name: 'Actions' }).waitFor();
      await tabTo(page, /^button Actions/);
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Delete…' }).waitFor();
      await page.keyboard.type('delete');
      await page.keyboard.press('Enter');
      await page.getByText('Nothing else is deleted').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectFocus(page, /^button Actions/);
    });

    it('keeps the focus while an action is on its way, and when its button is gone', async () => {
      for (const model of ['A', 'B', 'C']) {
        await api
          .as('operator', 'patch', `${resourcePath}/old-green`)
          .set('Content-Type', 'application/merge-patch+json')
          .send(JSON.stringify({ spec: { model } }))
          .expect(200);
      }
      const page = await console.open('operator', `${tractorsPage}/acme/hill/old-green?tab=history`);
      const all = page.getByRole('button', { name: 'Show all' });
      await all.press('Enter');
      await all.waitFor({ state: 'detached' });
      await expectFocus(page, /^(?!body)/);
      await page.goto(`${api.publicUrl}/console${tractorsPage}/acme/hill/old-green?tab=yaml&as=form`);
      await page.getByLabel('horsepower').fill('36');
      const review = page.getByRole('button', { name: 'Review' });
      const reviewing = await holdBack(page, 'PUT', /\?dryRun=true$/);
      await review.press('Enter');
      await reviewing.isAsked;
      await page.waitForTimeout(500);
      expect(await focused(page)).toBe('button Review');
      reviewing.release();
      await page.getByRole('button', { name: 'Save' }).waitFor();
      expect(await focused(page)).toBe('button Review');
    });

    it('edits a resource: open, change, review, save, with a reason', async () => {
      const page = await console.open('operator', '');
      await toTractors(page);
      await tabTo(page, /^grid /);
      await page.keyboard.press('Home');
      await page.keyboard.press('e');
      await page.getByRole('tab', { name: 'YAML and form' }).waitFor();
      await tabTo(page, /^(radio|button|tab) Form/);
      await page.keyboard.press('Enter');
      await tabTo(page, /^input horsepower/i);
      await page.keyboard.press('Control+a');
      await page.keyboard.type('121');
      await tabTo(page, /^button Review/, 'Shift+Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Save' }).waitFor();
      await tabTo(page, /Reason/);
      await page.keyboard.type('stronger');
      await tabTo(page, /^button Save/);
      await page.keyboard.press('Enter');
      await page.getByText('Revision 2').waitFor();
      const { body } = await api.as('operator', 'get', `${resourcePath}/big-red`).expect(200);
      expect(body.spec.horsepower).toBe(121);
    });
  },
);
