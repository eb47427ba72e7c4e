import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@platform/development/testing';
import { type PersonAtBrowser, personAtBrowser } from './person-at-browser.ts';
import { runPages } from './run-page.ts';
import { testedPages } from './tested-pages.ts';

// The machine of a reader has, besides the page: a free port and directory, and a browser with somebody at it.
let directory: string;
let person: PersonAtBrowser;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pages-'));
  person = await personAtBrowser('admin');
});
afterEach(() => {
  person.close();
  rmSync(directory, { recursive: true });
});

it.each(testedPages.map((parts) => [parts.map(({ page }) => page).join(', '), parts] as const))(
  'does what it says, from top to bottom: %s',
  async (_, parts) => {
    const port = String(await freePort());
    const url = `http://localhost:${port}`;
    const runs = await runPages(parts, {
      PORT: port,
      PLATFORM: url,
      PLATFORM_URL: url,
      PLATFORM__SERVER__LISTEN: `127.0.0.1:${port}`,
      PLATFORM__DATABASE__DATA_DIR: join(directory, 'data'),
      BROWSER: person.program,
    });
    expect(new Set(runs.map(({ page }) => page))).toEqual(new Set(parts.map(({ page }) => page)));
  },
  600_000,
);
