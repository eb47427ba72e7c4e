import { StaleAccess } from '@platform/access';
import { builtInCollectionOf } from '../kinds/table.ts';
import { type AccessGuard, admits, isUnrestricted, scopesFor, scopesOf } from '../model/access-guard.ts';
import { isOfKind } from '../model/definition.ts';
import { groupOf } from '../model/names.ts';
import type { Resource } from '../model/resource.ts';
import { ancestorMissing, definitionOf, type ItemTarget, notFound, type UidRef } from '../model/target.ts';
import type { DeletionReader } from '../ports/deletion-reader.ts';
import type { HistoryEntry, HistoryPlace } from '../ports/resource-history.ts';
import { accessDenied } from '../rules/access.ts';
import { isRoleBindings } from './caller-access.ts';
import { admitsTarget, type GuardedRequest } from './reachable.ts';
import type { CollectionRequest, ItemRequest, ResourcePorts } from './request.ts';

type Ports = Pick<ResourcePorts, 'reader' | 'history'>;

/** One page of entries, newest first. */
export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  /** Whether older entries follow. */
  readonly more: boolean;
}

/** Reads the history of an item; by its uid also after it was removed. Throws `not_found`. */
export async function readHistory(
  ports: Ports,
  request: ItemRequest & { readonly limit: number; readonly before: HistoryPlace | null },
): Promise<HistoryPage> {
  const { limit, before } = request;
  const live = await findLive(ports, request);
  const uid = live?.uid ?? uidOf(request.target);
  if (uid === null) throw notFound();
  const scopes = seenScopes(request.target, live);
  const found = await ports.history.entries(uid, { limit: limit + 1, before, scopes });
  const entries = found.filter(({ resource }) => isOfTarget(resource, request.target));
  const [last] = entries;
  if (live === null) await requireOfTarget(ports.reader, request.target, last?.resource);
  return { entries: entries.slice(0, limit), more: isFollowed(found, limit) };
}

/** Reads an item as it was at a revision; by its uid also after it was removed. Throws `not_found`, also after the retention. */
export async function readRevision(
  ports: Ports,
  request: ItemRequest & { readonly revision: number },
): Promise<Resource> {
  const live = await findLive(ports, request);
  if (live?.revision === request.revision) return live;
  const uid = live?.uid ?? uidOf(request.target);
  const scopes = seenScopes(request.target, live);
  const found = uid === null ? null : await ports.history.at(uid, request.revision, scopes);
  if (live === null) await requireOfTarget(ports.reader, request.target, found);
  if (found === null || !isOfTarget(found, request.target)) throw notFound();
  return found;
}

/** Lists the resources that were removed from a collection, newest removal first. Throws `not_found` when an ancestor is missing. */
export async function listRemoved(
  { reader, history }: Ports,
  request: CollectionRequest & { readonly limit: number; readonly before: number | null },
): Promise<HistoryPage & { readonly cursor: string }> {
  const { target, limit, before } = request;
  const { group, kind, ancestors } = target.ref;
  // The point to watch from: read first, so that no removal is after it and missing here.
  const list = await reader.list(target.ref, { limit: 1, after: null }, definitionOf(target));
  if (list.outcome === 'ancestorMissing') throw ancestorMissing();
  // Below a parent that the guard admits, everything is in the scope. In a root collection, a removed resource is in no scope, since a
  // binding whose scope is gone grants nothing; but a removed RoleBinding was in the scope that it had.
  const { access } = target.ref;
  const isGuarded = ancestors.length === 0 && access !== undefined && !isUnrestricted(access);
  const scopes = isGuarded ? scopesOf(access) : null;
  if (isGuarded && !isRoleBindings(target.ref)) return { entries: [], more: false, cursor: list.cursor };
  let parentUid: string | null = null;
  if (ancestors.length > 0) {
    const { resource } = await reader.get({ by: 'path', steps: ancestors }, definitionOf(target));
    if (resource === null) throw ancestorMissing();
    parentUid = resource.uid;
  }
  const removals = { group, kind, parentUid, scopes };
  const entries = await history.removals(removals, { limit: limit + 1, before });
  return { entries: entries.slice(0, limit), more: isFollowed(entries, limit), cursor: list.cursor };
}

/** Whether more entries follow a page, which was read with one entry more than its limit. */
function isFollowed(found: readonly HistoryEntry[], limit: number): boolean {
  return found.length > limit || found.at(-1)?.endsPage === true;
}

/** The row, or null when it is gone. */
async function findLive(ports: Ports, { caller, target }: ItemRequest): Promise<Resource | null> {
  const { ref } = target;
  const { resource } = await ports.reader.get(ref, definitionOf(target));
  if (resource === null && ref.by === 'uid' && ref.access !== undefined) {
    if (!(await admitsRemoved(ports, ref.access, target, ref))) throw accessDenied(caller);
  }
  return resource;
}

/** As `requireReachable`, for the history of an item: by its uid also after it was removed. */
export async function requireHistory(
  ports: Ports,
  { caller, target, guard }: GuardedRequest<ItemTarget>,
): Promise<void> {
  const { ref } = target;
  const reach = await ports.reader.reach(ref);
  if (reach.version !== guard.version) throw new StaleAccess();
  if (await admitsTarget(ports.reader, { target, guard }, reach, 'get')) return;
  const isRemoved = reach.item === null && ref.by === 'uid';
  if (!isRemoved || !(await admitsRemoved(ports, guard, target, ref))) throw accessDenied(caller);
}

/**
 * Whether the guard admits a removed resource by the place that it had: below ancestors that still exist, since a binding whose scope is
 * gone grants nothing. A RoleBinding is in its scope instead, with which its entries are compared.
 *
 * Attack: the entries of a removed resource are found by its uid, and no statement compares them with the guard. A uid that never existed
 * takes as many statements.
 */
async function admitsRemoved(
  { reader, history }: Ports,
  guard: AccessGuard,
  target: ItemTarget,
  ref: UidRef,
): Promise<boolean> {
  const { version } = await reader.reach(ref);
  if (version !== guard.version) throw new StaleAccess();
  if (isUnrestricted(guard)) return true;
  const scopes = seenScopes(target, null);
  const [last] = await history.entries(ref.uid, { limit: 1, before: null, scopes });
  const within = await reader.places(last?.resource.ancestorUids ?? []);
  if (last === undefined || !isOfTarget(last.resource, target)) return false;
  if (scopes !== null) return true;
  return admits(guard, { uid: '', name: last.resource.name, within: within.map(({ uid }) => uid) });
}

/**
 * The scopes in which the caller may see earlier states of the target; null for all of them.
 *
 * Attack: a RoleBinding was in a scope that the caller has no access to, and its history tells where it is now whom it named there.
 */
export function seenScopes({ ref, collection }: ItemTarget, live: Resource | null): readonly string[] | null {
  if (ref.by === 'unregistered' || ref.access === undefined) return null;
  if (collection === null || !isRoleBindings(collection)) return null;
  return scopesFor(ref.access, live?.name ?? '');
}

function uidOf({ ref }: ItemTarget): string | null {
  return ref.by === 'path' ? null : ref.uid;
}

/** Throws `not_found` unless the path names the kind of a removed resource: a plural that no definition has names no registered kind. */
export async function requireOfTarget(
  reader: Pick<DeletionReader, 'definitionsOf'>,
  target: ItemTarget,
  removed: Resource | null | undefined,
): Promise<void> {
  if (removed === null || removed === undefined || !isOfTarget(removed, target)) throw notFound();
  if (target.ref.by !== 'unregistered') return;
  const kind = { group: groupOf(removed.apiVersion), kind: removed.kind };
  if (builtInCollectionOf(kind) !== null || (await reader.definitionsOf([kind])).length > 0) throw notFound();
}

/** A uid of another kind is not found, as in every other request. */
function isOfTarget({ apiVersion, kind }: Resource, { ref }: ItemTarget): boolean {
  switch (ref.by) {
    case 'path':
      return true;
    case 'uid':
      return isOfKind({ apiVersion, kind }, ref);
    case 'unregistered':
      return groupOf(apiVersion) === groupOf(ref.apiVersion);
  }
}
