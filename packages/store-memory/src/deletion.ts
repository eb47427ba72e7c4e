import {
  type Cascade,
  cascadeFinalizer,
  type DeletionSteps,
  identityOf,
  type LeafCommand,
  type LeafOutcome,
  type Resource,
} from '@platform/resources';
import { deletionGraph } from './deletion-graph.ts';
import { dependentsOf, isProtected } from './ownership.ts';
import type { Table } from './table.ts';

/** The steps of a deletion in a transaction that began at `now`. Transactions run one at a time, so no row is locked. */
export function deletionOn(
  table: Table,
  now: string,
  hasTypedChildren: (organizationUid: string) => boolean,
): DeletionSteps {
  return {
    async lock(ref, definition) {
      table.requireCurrent(definition);
      const resource = table.find(ref);
      if (resource === null) return { outcome: 'missing' };
      const awaits = (dependent: Resource) => resource.deletionTimestamp !== null && isProtected(dependent);
      const blocked = dependentsOf(table, resource.uid).some(
        (dependent) => dependent.blocking || awaits(dependent.resource),
      );
      return { outcome: 'locked', resource, blocked };
    },

    async protectedFrom(uid, limit) {
      const reached = new Map([[uid, stored(table, uid)]]);
      for (const [owner] of reached)
        for (const { resource } of dependentsOf(table, owner)) reached.set(resource.uid, resource);
      return [...reached.values()].filter(isProtected).slice(0, limit).map(identityOf);
    },

    async lockGraph(uid, limit) {
      const graph = deletionGraph(table, uid, { limit, follow: 'all' });
      if (graph === null) throw new Error(`no row ${uid}`);
      return graph;
    },

    async cascade(uid) {
      const owner = identityOf(stored(table, uid));
      return dependentsOf(table, uid)
        .filter((dependent) => dependent.resource.deletionTimestamp === null)
        .map(({ relationship, blocking, resource }): Cascade => {
          const { revision } = table.put(markDeleted(resource, now));
          return { owner, dependent: identityOf(resource), relationship, blocking, revision };
        });
    },

    async tombstone(uid, options) {
      const row = markDeleted(stored(table, uid), now);
      const wanted = options.cascadeFinalizer && !row.finalizers.includes(cascadeFinalizer);
      return table.put(wanted ? { ...row, finalizers: [...row.finalizers, cascadeFinalizer] } : row);
    },

    async remove(uid) {
      table.delete(uid);
    },

    async hasTypedChildren(organizationUid) {
      return hasTypedChildren(organizationUid);
    },
  };
}

/** Removes a live row that nothing keeps, or says that it is kept. */
export function removeLeaf(table: Table, { ref, definition }: LeafCommand): LeafOutcome {
  table.requireCurrent(definition);
  const resource = table.find(ref);
  if (resource === null || resource.deletionTimestamp !== null || resource.finalizers.length > 0)
    return { outcome: 'kept' };
  if (isProtected(resource) || dependentsOf(table, resource.uid).length > 0) return { outcome: 'kept' };
  table.delete(resource.uid);
  return { outcome: 'removed', resource };
}

function markDeleted(row: Resource, now: string): Resource {
  return { ...row, deletionTimestamp: now, revision: row.revision + 1 };
}

function stored(table: Table, uid: string): Resource {
  const row = table.row(uid);
  if (row === null) throw new Error(`no row ${uid}`);
  return row;
}
