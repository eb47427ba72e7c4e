import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The program of `pnpm bench`: installs missing dependencies, builds and measures. This process is also the load generator. It starts with a
// larger young generation, because with the default it spends most of its time on collecting response buffers, on the core that it shares
// with the database.

const root = fileURLToPath(new URL('../../', import.meta.url));
const copy = `${root}node_modules/.pnpm/lock.yaml`;
const installed =
  existsSync(copy) && readFileSync(copy, 'utf8') === readFileSync(`${root}pnpm-lock.yaml`, 'utf8');
if (!installed) runStep('Installing', 'pnpm', ['install', '--frozen-lockfile', '--prefer-offline']);
runStep('Building', `${root}node_modules/.bin/tsc`, ['-b', 'packages']);
const { main } = await import('./dist/main.js');
process.exit(await main(process.argv.slice(2)));

/** Runs a command and waits for it; exits if it fails. */
function runStep(title, command, args) {
  process.stderr.write(`${title} ...\n`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
