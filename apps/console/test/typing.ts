import type { Page } from 'playwright-core';

/** Replaces a text in the editor by keys, as a person would type it. */
export async function replaceIn(page: Page, before: string, after: string): Promise<void> {
  const line = page.locator('.cm-line', { hasText: before }).last();
  await line.click();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+Home');
  await page.keyboard.type(after);
}

/** Holds answers of the platform back, as a slow network does, until they are released. */
export async function holdBack(page: Page, method: string, url: RegExp) {
  let release = () => {};
  let asked = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    const response = await route.fetch();
    asked();
    await isReleased;
    await route.fulfill({ response });
  });
  return { release, isAsked };
}
