import type { Statements } from '@platform/postgres';
import type { ResourceReader } from '@platform/resources';
import { readPlaces, readReach } from './operations/access/reach.ts';
import { reportBlockers } from './operations/resources/blockers.ts';
import { deletionGraph } from './operations/resources/deletion-graph.ts';
import {
  collectorPausedSince,
  definitionsOf,
  instancesOf,
  readResources,
} from './operations/resources/explanation-facts.ts';
import { getBatched } from './operations/resources/get-many.ts';
import { listBatched } from './operations/resources/list.ts';
import { listAll } from './operations/resources/list-all.ts';
import { pendingDeletion } from './operations/resources/pending-deletion.ts';
import { searching } from './operations/resources/search.ts';
import { selecting } from './operations/resources/select.ts';

/** The reads of resources on PostgreSQL. */
export function createReader(sql: Statements): ResourceReader {
  return {
    get: getBatched(sql),
    list: listBatched(sql),
    select: selecting(sql),
    ...searching(sql),
    all: (after, limit) => listAll(sql, after, limit),
    pendingDeletion: (page) => pendingDeletion(sql, page),
    blockers: (ref, limit, definition) => reportBlockers(sql, ref, limit, definition),
    deletionGraph: (uid, bounds) => deletionGraph(sql, uid, bounds),
    resources: (uids, options) => readResources(sql, uids, options),
    definitionsOf: (kinds) => definitionsOf(sql, kinds),
    instancesOf: (kind, limit) => instancesOf(sql, kind, limit),
    collectorPausedSince: () => collectorPausedSince(sql),
    reach: (ref) => readReach(sql, ref),
    places: (uids) => readPlaces(sql, uids),
  };
}
