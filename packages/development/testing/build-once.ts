import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Compiles the repository, for tests that run a process as it is shipped (`apps/<name>/dist/main.js`). Once in a
 * jest run: two compilers at a time would write the same files.
 */
export async function buildOnce(): Promise<void> {
  const directory = process.env['PLATFORM_TEST_POSTGRES'];
  if (directory === undefined) throw new Error('buildOnce() needs the globalSetup of jest.config.ts');
  const outcome = join(directory, 'build');
  if (!tookLock(`${outcome}.lock`)) {
    while (!existsSync(outcome)) await delay(50);
    return;
  }
  const build = join(root, 'tools', 'build', 'main.mjs');
  const child = spawn(process.execPath, [build], { cwd: root, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  writeFileSync(outcome, String(code));
  if (code !== 0) throw new Error('the build fails: run `pnpm build`');
}

function tookLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}
