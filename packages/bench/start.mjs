import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// What `pnpm bench` runs: installs what is missing, builds, measures. This process is the load generator, and starts with a young generation of
// 2 x 64 MB: with the usual 2 x 16 it spent two thirds of its time on collecting the 64 KB buffers that answers come in, on the core that it
// shares with the database (pages of 100: 1,080 a second, with this 1,430).

const root = fileURLToPath(new URL('../../', import.meta.url));
const copy = `${root}node_modules/.pnpm/lock.yaml`;
const installed =
  existsSync(copy) && readFileSync(copy, 'utf8') === readFileSync(`${root}pnpm-lock.yaml`, 'utf8');
if (!installed) step('Installing', 'pnpm', ['install', '--frozen-lockfile', '--prefer-offline']);
step('Building', `${root}node_modules/.bin/tsc`, ['-b', 'packages']);
const { main } = await import('./dist/main.js');
process.exit(await main(process.argv.slice(2)));

/** Runs a command to its end; ends this process with it when it fails. */
function step(what, command, args) {
  process.stderr.write(`${what} ...\n`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
