import type { CollectionStore } from '@platform/collection';
import type { Database } from '../../database.ts';
import { backlog } from './backlog.ts';
import { climb } from './climb.ts';
import { collect } from './collect.ts';
import { planned } from './planned.ts';
import { reach } from './reach.ts';
import { revisions } from './revisions.ts';
import { tombstones } from './tombstones.ts';

export { createCollectorSwitch } from './collector-switch.ts';
export { createLease } from './lease.ts';
export { createWakeUps } from './wake-ups.ts';

/** The rows as the collector works on them. */
export function createCollectionStore(database: Database): CollectionStore {
  return {
    tombstones: (range, limit) => tombstones(database, range, limit),
    revisions: (uids) => revisions(database, uids),
    reach: (uids, limit) => planned(database, (sql) => reach(sql, uids, limit)),
    climb: (uids, limit) => climb(database, uids, limit),
    collect: (batch, settle) => collect(database, batch, settle),
    backlog: () => backlog(database),
  };
}
