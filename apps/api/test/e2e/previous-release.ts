import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Release, releaseIn } from './program.ts';

/** The release before this one, which runs next to it during an upgrade. The first commit after a release sets both. */
export const previous = { version: '0.24.0', commit: 'dfefbe17e5f16bed2d260f465d5588394b08a892' } as const;

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const directory = join(root, 'node_modules', '.cache', 'previous-release', previous.commit);
/** Without the registry, the install would try for longer. */
const installMs = 180_000;

/**
 * Takes the previous release from the history of this repository, and installs its packages, once for a checkout. Null, with the reason on
 * standard error, where the history does not reach that far, as in a shallow clone, or the packages cannot be had.
 */
export function previousRelease(): Release | null {
  if (existsSync(directory)) return releaseIn(directory);
  const draft = `${directory}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    const archive = execFileSync('git', ['archive', previous.commit], {
      cwd: root,
      maxBuffer: 2 ** 28,
      stdio: 'pipe',
    });
    execFileSync('tar', ['-x'], { cwd: draft, input: archive });
    const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const install = ['install', '--frozen-lockfile', '--prefer-offline'];
    execFileSync('npx', ['--yes', packageManager, ...install], {
      cwd: draft,
      stdio: 'pipe',
      timeout: installMs,
    });
    renameSync(draft, directory);
    return releaseIn(directory);
  } catch (error) {
    process.stderr.write(`no tests of upgrades from ${previous.version}: ${String(error)}\n`);
    return null;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
