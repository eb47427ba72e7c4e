import { freePort } from '../src/free-port.ts';
import { runPage } from '../src/run-page.ts';

it.each(['docs/getting-started.md', 'docs/cli.md'])(
  '%s does what it says, from top to bottom',
  async (page) => {
    const runs = await runPage(page, { PORT: String(await freePort()) });
    expect(runs.length).toBeGreaterThan(5);
  },
  300_000,
);
