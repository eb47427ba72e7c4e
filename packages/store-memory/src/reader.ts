import { StaleAccess } from '@platform/access';
import {
  admits,
  anyName,
  type Blocker,
  builtInCollectionOf,
  type CollectionRef,
  groupOf,
  isInScope,
  isOfKind,
  isSelected,
  matchesName,
  maySearch,
  type PagePosition,
  type PlacedRow,
  positionOf,
  type Reach,
  type Resource,
  type ResourceReader,
  type ResourceRef,
  type SearchScope,
  type Selection,
} from '@platform/resources';
import { claimsIn, same } from './claims.ts';
import { deletionGraph } from './deletion-graph.ts';
import type { MemoryLease } from './lease.ts';
import { dependentsOf } from './ownership.ts';
import { compareText, type Table } from './table.ts';

/** Reads the table that is committed when it is called. */
export function readerOf(
  current: () => Table,
  lease: Pick<MemoryLease, 'state'>,
  cursor: () => string,
): ResourceReader {
  return {
    async get(ref, definition) {
      const table = current();
      table.requireCurrent(definition);
      return { outcome: 'read', resource: table.find(ref), cursor: cursor() };
    },

    async list(collection, page, definition) {
      const table = current();
      table.requireCurrent(definition);
      const following = rowsOf(table, collection, page.after);
      if (following === null) return { outcome: 'ancestorMissing' };
      return { outcome: 'page', ...firstOf(following, page.limit), cursor: cursor() };
    },

    async all(after, limit) {
      const following = current()
        .rows()
        .filter(({ uid }) => after === null || compareText(uid, after) > 0)
        .sort((a, b) => compareText(a.uid, b.uid));
      return { outcome: 'page', ...firstOf(following, limit), cursor: cursor() };
    },

    async select(selection, { limit, after }, definition) {
      const table = current();
      table.requireCurrent(definition);
      const following = selectedRows(table, selection, after);
      if (following === null) return { outcome: 'ancestorMissing' };
      const { items, more } = firstOf(following, limit);
      const last = items.at(-1);
      const next = more && last !== undefined ? positionOf(last) : null;
      return { outcome: 'page', items, next, cursor: cursor() };
    },

    async search(scope, names, { limit, after }) {
      const following = searchable(current(), scope)
        .filter((row) => matchesName(names, row.name))
        .filter((row) => after === null || compareSearched(row, after) > 0)
        .sort(compareSearched);
      const { items, more } = firstOf(following, limit);
      const last = items.at(-1);
      return { items, next: more && last !== undefined ? { name: last.name, uid: last.uid } : null };
    },

    searchByUid: async (scope, uid) => searchable(current(), scope).filter((row) => row.uid === uid),

    async pendingDeletion({ limit, after }) {
      const order = (row: { deletionTimestamp: string | null; uid: string }) =>
        `${row.deletionTimestamp} ${row.uid}`;
      const following = current()
        .rows()
        .filter((row) => row.deletionTimestamp !== null)
        .filter((row) => after === null || order(row) > `${after.time} ${after.uid}`)
        .sort((a, b) => compareText(order(a), order(b)));
      return firstOf(following, limit);
    },

    async blockers(ref, limit, definition) {
      const table = current();
      table.requireCurrent(definition);
      const resource = table.find(ref);
      if (resource === null) return { outcome: 'missing' };
      const { items, more } = firstOf(blockersOf(table, resource), limit);
      return { outcome: 'report', resource, blockers: items, truncated: more };
    },

    deletionGraph: async (uid, bounds) => deletionGraph(current(), uid, bounds),

    async resources(uids, { documents } = { documents: true }) {
      const found = uids.flatMap((uid) => current().row(uid) ?? []);
      return documents ? found : found.map((row) => ({ ...row, metadata: '{}', spec: '{}', status: '{}' }));
    },

    async definitionsOf(kinds) {
      const claims = claimsIn(current().rows());
      return claims.filter(([, claim]) => kinds.some((kind) => same(claim, kind))).map(([row]) => row);
    },

    async instancesOf(kind, limit) {
      return current()
        .rows()
        .filter((row) => isOfKind(row, kind))
        .sort((a, b) => compareText(a.apiVersion, b.apiVersion))
        .slice(0, limit);
    },

    collectorPausedSince: async () => (await lease.state()).pausedSince,

    reach: async (ref) => reachOf(current(), ref),

    async places(uids) {
      const table = current();
      return uids.flatMap((uid) => {
        const row = table.row(uid);
        return row === null ? [] : [placeOf(table, row)];
      });
    },
  };
}

/** A page of the rows that follow. */
function firstOf<T>(following: readonly T[], limit: number): { items: readonly T[]; more: boolean } {
  return { items: following.slice(0, limit), more: following.length > limit };
}

/** The rows of a collection after a name; null when an ancestor is missing, or not for the caller. */
function rowsOf(table: Table, collection: CollectionRef, after: string | null): readonly Resource[] | null {
  const ancestors = table.walk(collection.ancestors);
  if (ancestors === null) return null;
  const { access } = collection;
  const isRows = access !== undefined && ancestors.length === 0 && table.admitsRows(access);
  if (!isRows && !table.admitsCollection(collection, ancestors)) return null;
  const parentUid = ancestors.at(-1)?.uid ?? null;
  return table
    .rows()
    .filter((row) => !isRows || admits(access, { ...row, within: table.within(row) }))
    .filter((row) => row.parentUid === parentUid && row.kind === collection.kind)
    .filter((row) => groupOf(row.apiVersion) === collection.group)
    .filter((row) => after === null || compareText(row.name, after) > 0)
    .sort((a, b) => compareText(a.name, b.name));
}

/** The rows of a selection after a position; null when an ancestor is missing, or not for the caller. */
function selectedRows(
  table: Table,
  selection: Selection,
  after: PagePosition | null,
): readonly Resource[] | null {
  const { ancestors, group, kind } = selection.collection;
  const firstAny = ancestors.findIndex(({ name }) => name === anyName);
  const above = table.walk(firstAny === -1 ? ancestors : ancestors.slice(0, firstAny));
  const showsPart = ancestors.length === 0 || firstAny !== -1;
  if (above === null || !table.admitsSelection(selection.guard, above, showsPart)) return null;
  return table
    .rows()
    .filter((row) => row.kind === kind && groupOf(row.apiVersion) === group)
    .filter((row) => row.ancestors.length === ancestors.length)
    .filter((row) => isSelected(selection, row, table.within(row)))
    .filter((row) => after === null || comparePositions(positionOf(row), after) > 0)
    .sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
}

function blockersOf(table: Table, { uid }: Resource): readonly Blocker[] {
  return dependentsOf(table, uid)
    .filter((dependent) => dependent.blocking)
    .map(({ relationship, resource }): Blocker => ({ relationship, resource }))
    .sort(compareBlockers);
}

/** The rows on the way to a target that exist, root first. */
function reachOf(table: Table, ref: ResourceRef | CollectionRef): Reach {
  const { version } = table.access;
  const steps = 'ancestors' in ref ? ref.ancestors : ref.by === 'path' ? ref.steps : null;
  if (steps === null) {
    const row = table.locate(ref as ResourceRef);
    const item = row === null ? null : placeOf(table, row);
    return { version, uids: item === null ? [] : [...item.within, item.uid], item };
  }
  const found = steps.flatMap((_, index) => table.walk(steps.slice(0, index + 1))?.at(-1) ?? []);
  const last = found.at(-1);
  const isItem = 'by' in ref && last !== undefined && found.length === steps.length;
  const item = isItem ? placeOf(table, last) : null;
  return { version, uids: item === null ? found.map(({ uid }) => uid) : [...item.within, item.uid], item };
}

/** The rows in the scope of a search. */
function searchable(table: Table, scope: SearchScope): readonly Resource[] {
  const { access } = scope;
  if (access !== null && access.version !== table.access.version) throw new StaleAccess();
  return table.rows().filter((row) => {
    if (!isInScope(scope, row)) return false;
    if (access === null) return true;
    const place = placeOf(table, row);
    const definition = claimsIn(table.rows()).find(([, claim]) => same(claim, place))?.[0];
    const controllerIds: readonly string[] =
      definition === undefined ? [] : (JSON.parse(definition.spec).allowedStatusControllerIds ?? []);
    return maySearch(access, {
      ...place,
      plural: place.plural ?? builtInCollectionOf(place)?.plural ?? null,
      controllerIds,
    });
  });
}

function compareSearched(
  a: { readonly name: string; readonly uid: string },
  b: { readonly name: string; readonly uid: string },
): number {
  return compareText(a.name, b.name) || compareText(a.uid, b.uid);
}

function comparePositions(a: PagePosition, b: PagePosition): number {
  return compareText(a.path, b.path) || compareText(a.name, b.name) || compareText(a.uid, b.uid);
}

function placeOf(table: Table, row: Resource): PlacedRow {
  const { uid, name, kind } = row;
  const group = groupOf(row.apiVersion);
  const claim = claimsIn(table.rows()).find(([, each]) => same(each, { group, kind }));
  return { uid, group, kind, name, plural: claim?.[1].plural ?? null, within: table.within(row) };
}

/** "structuralChild" sorts after "ownerReference" as text, so the relationship is compared in reverse. */
function compareBlockers(a: Blocker, b: Blocker): number {
  return (
    compareText(b.relationship, a.relationship) ||
    compareText(a.resource.apiVersion, b.resource.apiVersion) ||
    compareText(a.resource.kind, b.resource.kind) ||
    compareText(a.resource.name, b.resource.name) ||
    compareText(a.resource.uid, b.resource.uid)
  );
}
