import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';
import { processIdentity } from './processes.ts';

interface Holder {
  readonly pid: number;
  readonly identity: string;
}

/**
 * Reserves the data directory for this process. Throws when another live process has it; what a dead
 * one left behind is taken over. Returns the release.
 */
export function lockDataDir(dataDir: string): () => void {
  const file = join(dataDir, 'launcher.lock');
  const draft = `${file}.${process.pid}`;
  const own: Holder = { pid: process.pid, identity: processIdentity(process.pid) ?? 'unknown' };
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      if (linked(draft, file)) return () => release(file, own);
      const holder = read(file);
      if (holder !== undefined && processIdentity(holder.pid) === holder.identity)
        throw inUse(dataDir, holder);
      if (holder !== undefined) discard(file, holder);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  throw new EmbeddedPostgresError(`${file} cannot be taken: too many starts at once`);
}

function inUse(dataDir: string, { pid }: Holder): EmbeddedPostgresError {
  const advice = 'stop it, or set database.data_dir to another directory';
  return new EmbeddedPostgresError(`process ${pid} already runs a database in ${dataDir}: ${advice}`);
}

function linked(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function read(file: string): Holder | undefined {
  const damaged: Holder = { pid: -1, identity: 'damaged' };
  try {
    const { pid, identity } = JSON.parse(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && typeof identity === 'string' ? { pid, identity } : damaged;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : damaged;
  }
}

// Between reading and removing, another start may have taken the lock over: what was moved away is
// looked at again, and put back when it is not the dead holder's.
function discard(file: string, dead: Holder): void {
  const aside = `${file}.dead.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const moved = read(aside);
  if (moved?.pid !== dead.pid || moved.identity !== dead.identity) linked(aside, file);
  rmSync(aside, { force: true });
}

function release(file: string, own: Holder): void {
  const holder = read(file);
  if (holder?.pid === own.pid && holder.identity === own.identity) rmSync(file, { force: true });
}
