import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { until } from '@platform/development/testing';

const ancestors = fileURLToPath(new URL('../ancestors.mjs', import.meta.url));
let directory: string;
let outermost: ChildProcess;

/** Starts `scripts` each inside the one before it, and a process that watches inside the last. */
async function chain(...scripts: string[]): Promise<void> {
  const watcher = join(directory, 'watcher.mjs');
  writeFileSync(
    watcher,
    `import { watchAncestors } from ${JSON.stringify(ancestors)};
     import { writeFileSync } from 'node:fs';
     watchAncestors(() => { writeFileSync(${JSON.stringify(join(directory, 'gone'))}, ''); process.exit(); });
     writeFileSync(${JSON.stringify(join(directory, 'pids'))}, String(process.pid));
     setTimeout(() => {}, 60_000);`,
  );
  let inner = watcher;
  for (const script of scripts.toReversed()) {
    const file = join(directory, script);
    // A shell stands between npx and pnpm, and between pnpm and what it runs.
    const command = `${process.execPath} ${inner}; true`;
    writeFileSync(file, `require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(command)}]);`);
    inner = file;
  }
  outermost = spawn(process.execPath, [inner], { stdio: 'ignore' });
  await until(() => existsSync(join(directory, 'pids')));
}

async function killOutermost(): Promise<void> {
  const exit = once(outermost, 'exit');
  outermost.kill('SIGKILL');
  await exit;
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ancestors-'));
});

afterEach(() => {
  try {
    process.kill(Number(readFileSync(join(directory, 'pids'), 'utf8')), 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
  rmSync(directory, { recursive: true, force: true });
});

// The ancestors of the parent are read from /proc.
(process.platform === 'linux' ? describe : describe.skip)('watchAncestors', () => {
  it('notices the death of npx above a running pnpm', async () => {
    await chain('npx-cli.js', 'pnpm.cjs');
    await killOutermost();
    await until(() => existsSync(join(directory, 'gone')));
  });

  it('ignores the parent of npx', async () => {
    await chain('terminal.js', 'npx-cli.js', 'pnpm.cjs');
    await killOutermost();
    // Longer than the polling interval of the watch.
    await delay(1_500);
    expect(existsSync(join(directory, 'gone'))).toBe(false);
  });
});
