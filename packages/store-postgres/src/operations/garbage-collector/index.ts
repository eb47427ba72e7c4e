import type { GarbageCollectorStore } from '@platform/garbage-collector';
import type { Database } from '@platform/postgres';
import { collectBatch } from './collect-batch.ts';
import { findDeletedAncestors } from './find-deleted-ancestors.ts';
import { markDependentsDeleted, pendingDependents } from './pending-cascades.ts';
import { planned } from './planned.ts';
import { backlog, revisions, tombstones } from './tombstones.ts';
import { traverseDependents } from './traverse-dependents.ts';

export { createCollectorPause } from './collector-pause.ts';
export { createLease } from './lease.ts';
export { createWakeUps } from './wake-ups.ts';

/** The resource rows as the garbage collector reads and writes them. */
export function createGarbageCollectorStore(database: Database): GarbageCollectorStore {
  return {
    tombstones: (range, limit) => tombstones(database, range, limit),
    revisions: (uids) => revisions(database, uids),
    traverseDependents: (uids, limit) => planned(database, (sql) => traverseDependents(sql, uids, limit)),
    findDeletedAncestors: (uids, limit) => findDeletedAncestors(database, uids, limit),
    collectBatch: (batch, plan) => collectBatch(database, batch, plan),
    pendingDependents: (limit) => pendingDependents(database, limit),
    markDependentsDeleted: (pending) => markDependentsDeleted(database, pending),
    backlog: (since) => backlog(database, since),
  };
}
