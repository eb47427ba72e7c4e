import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { watchAncestors } from './ancestors.mjs';

// `pnpm start` runs this file. From here on, a signal or the death of npx or pnpm ends everything.

const root = fileURLToPath(new URL('../../', import.meta.url));
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

// The reader of the output may exit first, for example a pager.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
watchAncestors(() => process.kill(process.pid, 'SIGTERM'));
if (!installed()) await step('Installing', 'pnpm', ['install', '--frozen-lockfile', '--prefer-offline']);
await step('Building', process.execPath, [`${root}tools/build/main.mjs`]);
const { main } = await import('./dist/main.js');
process.exit(await main());

/** pnpm keeps a copy of the lockfile that it installed from. */
function installed() {
  const copy = `${root}node_modules/.pnpm/lock.yaml`;
  return existsSync(copy) && readFileSync(copy, 'utf8') === readFileSync(`${root}pnpm-lock.yaml`, 'utf8');
}

/** Runs a command to its end; ends this process with it when it fails, and with 0 when a signal comes. */
async function step(what, command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  let stopped = false;
  const forward = (signal) => {
    stopped = true;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, forward);
  process.stdout.write(`${what} ...\n`);
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(
        `${command} cannot be run (${error.message}): start with \`npx --yes pnpm start\`\n`,
      );
      resolve(1);
    });
    child.once('exit', (status, signal) => resolve(signal === null ? status : 1));
  });
  for (const signal of signals) process.off(signal, forward);
  if (stopped) process.exit(0);
  if (code !== 0) process.exit(code);
}
