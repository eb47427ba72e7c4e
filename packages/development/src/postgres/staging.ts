import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Copies the installation to where it can be run, one candidate after the other, and yields each
 * `native` directory. Copies are kept for the next start. `dataDir` is given when we are not root.
 */
export function* stageBinaries(native: string, version: string, dataDir?: string): Generator<string> {
  const parents = dataDir === undefined ? ['/var/cache', '/var/tmp', tmpdir()] : [dataDir];
  for (const parent of parents) {
    const stage = join(parent, `platform-postgres-${version}`);
    if (attempt(() => makeStage(native, stage))) yield join(stage, 'native');
  }
}

function attempt(step: () => boolean): boolean {
  try {
    return step();
  } catch {
    return false;
  }
}

// Anyone may make a directory of this name in a shared directory: only our own is trusted to be run.
function makeStage(native: string, stage: string): boolean {
  const existing = lstatSync(stage, { throwIfNoEntry: false });
  if (existing !== undefined) {
    return existing.isDirectory() && existing.uid === process.getuid?.() && (existing.mode & 0o022) === 0;
  }
  const draft = mkdtempSync(join(dirname(stage), '.platform-postgres-'));
  try {
    copyReadable(native, join(draft, 'native'));
    chmodSync(draft, 0o755);
    renameSync(draft, stage);
    return true;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another start was faster.
    if (['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) return true;
    throw error;
  }
}

/** Copies a tree so that everyone can read it, whatever the umask was; static libraries stay behind. */
function copyReadable(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyReadable(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!entry.name.endsWith('.a')) {
      copyFileSync(source, target);
      chmodSync(target, (lstatSync(source).mode & 0o100) === 0 ? 0o644 : 0o755);
    }
  }
}
