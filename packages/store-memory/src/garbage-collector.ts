import {
  type BatchPlan,
  type DependentEdge,
  type GarbageCollectorStore,
  type LockedRow,
  type RowChange,
  RowsRefused,
  type Tombstone,
  type TombstonePosition,
} from '@platform/garbage-collector';
import { cascadeFinalizer, identityOf, type Resource, type ResourceIdentity } from '@platform/resources';
import type { MemoryLease } from './lease.ts';
import { dependentsOf, isProtected } from './ownership.ts';
import { compareText, type Table } from './table.ts';

type Commit = <T>(work: (draft: Table, now: string) => Promise<T>) => Promise<T>;

/** The resource rows on maps. Batches run one at a time, so no row is ever locked by another transaction. */
export function garbageCollectorStoreOf(
  current: () => Table,
  commit: Commit,
  lease: MemoryLease,
): GarbageCollectorStore {
  return {
    async tombstones({ after, until }, limit) {
      return tombstonesIn(current())
        .filter(
          (row) => (after === null || compare(row, after) > 0) && (until === null || row.since <= until),
        )
        .slice(0, limit);
    },
    async revisions(uids) {
      const rows = uids.flatMap((uid) => current().row(uid) ?? []);
      return new Map(rows.map(({ uid, revision }) => [uid, revision]));
    },
    findDeletedAncestors: async (uids, limit) => findDeletedAncestors(current(), uids, limit),
    traverseDependents: async (uids, limit) => traverseDependents(current(), uids, limit),
    collectBatch: ({ uids, fence }, plan) =>
      commit(async (draft, now) => {
        const end = lease.check(fence);
        if (end !== null) return { outcome: end };
        const batch = new Set(uids);
        const rows = [...batch].sort(compareText).flatMap((uid) => draft.row(uid) ?? []);
        const writes = plan(rows.map((row) => lockedRow(draft, row, batch)));
        apply(draft, writes, now);
        return { outcome: 'committed', plan: writes };
      }),
    // A DELETE in memory marks all dependents as deleted itself.
    pendingDependents: async () => null,
    markDependentsDeleted: async () => ({ outcome: 'committed', cascades: [], removed: [] }),
    async backlog(from) {
      const tombstones = tombstonesIn(current()).filter(({ since }) => from === null || since >= from);
      return { tombstones: Math.min(tombstones.length, 100_000), oldest: tombstones[0]?.since ?? null };
    },
  };
}

function tombstonesIn(table: Table): readonly Tombstone[] {
  return table
    .rows()
    .flatMap(({ uid, revision, deletionTimestamp }) =>
      deletionTimestamp === null ? [] : [{ uid, revision, since: Date.parse(deletionTimestamp) }],
    )
    .sort(compare);
}

function compare(a: TombstonePosition, b: TombstonePosition): number {
  return a.since - b.since || compareText(a.uid, b.uid);
}

function traverseDependents(table: Table, uids: readonly string[], limit: number): readonly DependentEdge[] {
  const edges: DependentEdge[] = [];
  const queue = [...new Set(uids)];
  const queued = new Set(queue);
  for (const from of queue) {
    for (const { resource } of dependentsOf(table, from)) {
      if (resource.deletionTimestamp !== null || isProtected(resource)) continue;
      if (edges.length === limit) return edges;
      edges.push({ uid: resource.uid, from });
      if (queued.has(resource.uid)) continue;
      queued.add(resource.uid);
      queue.push(resource.uid);
    }
  }
  return edges;
}

function findDeletedAncestors(table: Table, uids: readonly string[], limit: number): readonly string[] {
  const found = new Set(uids);
  for (const uid of found) {
    const row = table.row(uid);
    const above = row === null ? [] : [row.parentUid, ...row.ownerReferences.map((owner) => owner.uid)];
    for (const owner of above) {
      if (owner !== null && table.row(owner)?.deletionTimestamp) found.add(owner);
    }
  }
  return [...found].slice(0, limit);
}

function lockedRow(table: Table, row: Resource, batch: ReadonlySet<string>): LockedRow {
  const outside = dependentsOf(table, row.uid).filter(({ resource }) => !batch.has(resource.uid));
  const blocker = outside.find(({ blocking }) => blocking)?.resource;
  const live = (dependent: Resource) => dependent.deletionTimestamp === null;
  const awaited = outside.find(
    (dependent) => !dependent.blocking && isProtected(dependent.resource),
  )?.resource;
  return {
    identity: identityOf(row),
    revision: row.revision,
    tombstoned: !live(row),
    protected: isProtected(row),
    finalizers: row.finalizers,
    owners: row.ownerReferences.map(({ uid, blockOwnerDeletion }) => ({ uid, blocking: blockOwnerDeletion })),
    blocker:
      blocker === undefined ? null : { uid: blocker.uid, revision: blocker.revision, live: live(blocker) },
    liveOutside: outside.some(
      ({ blocking, resource }) => !blocking && live(resource) && !isProtected(resource),
    ),
    protectedOutside:
      awaited === undefined ? null : { uid: awaited.uid, revision: awaited.revision, live: true },
    tombstonedOwners: live(row) ? tombstonedOwners(table, row, batch) : [],
  };
}

function tombstonedOwners(
  table: Table,
  { parentUid, ownerReferences }: Resource,
  batch: ReadonlySet<string>,
): readonly ResourceIdentity[] {
  const uids = new Set([
    ...(parentUid === null ? [] : [parentUid]),
    ...ownerReferences.map(({ uid }) => uid),
  ]);
  return [...uids]
    .filter((uid) => !batch.has(uid))
    .flatMap((uid) => table.row(uid) ?? [])
    .filter(({ deletionTimestamp }) => deletionTimestamp !== null)
    .map(identityOf);
}

function apply(table: Table, { remove, change }: BatchPlan, now: string): void {
  const removed = new Set(remove);
  const child = table.rows().find(({ uid, parentUid }) => removed.has(parentUid ?? '') && !removed.has(uid));
  if (child !== undefined) throw new RowsRefused('23503', `${child.uid} would be left without its parent`);
  for (let left = [...removed]; left.length > 0; left = left.filter((uid) => table.row(uid) !== null)) {
    const parents = new Set(table.rows().map(({ parentUid }) => parentUid));
    for (const uid of left) if (!parents.has(uid)) table.delete(uid);
  }
  for (const step of change) {
    const row = table.row(step.uid);
    if (row !== null) table.put(changed(row, step, now));
  }
}

function changed(row: Resource, step: RowChange, now: string): Resource {
  const finalizers = {
    keep: row.finalizers,
    ensure: [...row.finalizers, cascadeFinalizer],
    drop: row.finalizers.filter((name) => name !== cascadeFinalizer),
  }[step.cascadeFinalizer];
  const deletionTimestamp = step.tombstone ? now : row.deletionTimestamp;
  return { ...row, finalizers, deletionTimestamp, revision: row.revision + 1 };
}
