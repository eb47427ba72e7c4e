import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../src/free-port.ts';
import { type PersonAtBrowser, personAtBrowser } from '../src/person-at-browser.ts';
import { runPage } from '../src/run-page.ts';

// What a reader's machine has besides the page: a free port and directory, and a browser with somebody at it.
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

it.each([
  ['README.md', 4],
  ['docs/getting-started.md', 10],
  ['docs/cli.md', 10],
])(
  '%s does what it says, from top to bottom',
  async (page, blocks) => {
    const port = String(await freePort());
    const runs = await runPage(page, {
      PORT: port,
      PLATFORM: `http://localhost:${port}`,
      PLATFORM_URL: `http://localhost:${port}`,
      PLATFORM__SERVER__LISTEN: `127.0.0.1:${port}`,
      PLATFORM__DATABASE__DATA_DIR: join(directory, 'data'),
      BROWSER: person.program,
    });
    expect(runs.length).toBeGreaterThanOrEqual(blocks);
  },
  300_000,
);
