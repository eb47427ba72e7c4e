import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Release, releaseIn } from './program.ts';

/** The release before this one, which runs next to it during an upgrade. Whoever makes a release sets both. */
export const previous = { version: '0.24.0', commit: 'dfefbe17e5f16bed2d260f465d5588394b08a892' } as const;

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const directory = join(root, 'node_modules', '.cache', 'previous-release', previous.commit);

/** Whether the history of this checkout reaches back to the previous release. A shallow clone's does not. */
export const previousReleaseIsHere =
  existsSync(directory) ||
  spawnSync('git', ['cat-file', '-e', `${previous.commit}^{commit}`], { cwd: root }).status === 0;

/** Takes the previous release from the history of this repository, and installs its packages, once for a checkout. */
export function previousRelease(): Release {
  if (!existsSync(directory)) {
    const draft = `${directory}.${process.pid}`;
    mkdirSync(draft, { recursive: true });
    try {
      const archive = execFileSync('git', ['archive', previous.commit], { cwd: root, maxBuffer: 2 ** 28 });
      execFileSync('tar', ['-x'], { cwd: draft, input: archive });
      const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      const install = ['install', '--frozen-lockfile', '--prefer-offline'];
      execFileSync('npx', ['--yes', packageManager, ...install], { cwd: draft, stdio: 'pipe' });
      renameSync(draft, directory);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return releaseIn(directory);
}
