import { invalid, Problem } from '@platform/kernel';
import { scopeUidIn, withRenamedScope } from '../kinds/scope-of-spec.ts';
import { strategyOf } from '../kinds/table.ts';
import { actorOf } from '../model/caller.ts';
import type { Collection } from '../model/definition.ts';
import { withManagedFields } from '../model/managed-fields.ts';
import { nodeOf } from '../model/removed-resource.ts';
import type { Resource } from '../model/resource.ts';
import type { CreateCommand } from '../ports/resource-writer.ts';
import type { Transaction } from '../ports/transactions.ts';
import type { ResourceContent } from '../rules/prepare-create.ts';
import { InvalidStates, prepareRestore } from '../rules/prepare-restore.ts';
import { restoredManagedFields } from '../rules/restored-managers.ts';
import { restoreLevels } from '../rules/restored-set.ts';
import { requireMayRestoreAll } from './authorize-restore.ts';
import { createCommand, tryInsert } from './create.ts';
import { auditIdentity, type ResourcePorts } from './request.ts';
import { RestoreConflicts } from './restore-conflicts.ts';
import { type RestoredItem, type RestoreRequest, readRestored } from './restored-items.ts';
import { type RestoredParent, RestoredPlaces } from './restored-places.ts';
import { opened, shownTo, specToStore } from './sealed.ts';

/** A resource that was created again. */
export interface Restored {
  /** Its uid before it was removed. */
  readonly from: string;
  readonly resource: Resource;
}

/** An item that passed validation. */
interface PreparedItem extends RestoredItem {
  readonly collection: Collection;
  readonly content: ResourceContent;
}

type Ports = Pick<ResourcePorts, 'transactions' | 'schemas' | 'identifiers' | 'audit' | 'sealer'>;

/** How many inserts are sent before the first one is answered. */
const pipelined = 50;

/**
 * Creates a removed resource again, with everything that its deletion removed with it, in one transaction and parents and owners first.
 * Throws `not_removed`, `not_found`, `restore_too_large`, `restore_invalid` with the faults of the stored states, and
 * `restore_conflict` with every name that is taken and every parent and owner that is missing.
 */
export async function restoreResource(ports: Ports, request: RestoreRequest): Promise<readonly Restored[]> {
  const { caller, requestId } = request;
  const restored = await ports.transactions.run(async (transaction) => {
    const items = await readRestored(transaction, request, () => ports.identifiers.uid());
    const places = await RestoredPlaces.read(transaction, caller, items);
    await requireMayRestoreAll(transaction, caller, items, places);
    const prepared = await prepareAll(ports, items, places);
    return await insertAll({ ports, transaction, request, places }, prepared);
  });
  for (const { from, resource } of restored) {
    ports.audit.record({
      message: 'resource.restored',
      requestId,
      actor: actorOf(caller),
      ...auditIdentity(resource),
      details: { from },
    });
  }
  return restored.map(({ from, resource }) => ({ from, resource: shownTo(ports, caller, resource) }));
}

async function prepareAll(
  ports: Ports,
  items: readonly RestoredItem[],
  places: RestoredPlaces,
): Promise<readonly PreparedItem[]> {
  const renamed = new Map(items.map(({ removed, uid, name }) => [removed.uid, { uid, name }]));
  const prepared: PreparedItem[] = [];
  const refused = new InvalidStates();
  for (const item of items) {
    try {
      prepared.push(await prepareItem(ports, item, places, renamed));
    } catch (error) {
      refused.add(item.removed, error);
    }
  }
  refused.throwIfAny();
  return prepared;
}

async function prepareItem(
  ports: Ports,
  item: RestoredItem,
  places: RestoredPlaces,
  renamed: ReadonlyMap<string, { readonly uid: string; readonly name: string }>,
): Promise<PreparedItem> {
  const { removed, collection, name } = item;
  if (collection === null || collection.ancestors === null) {
    const claimed = collection === null ? `the kind ${removed.kind}` : `a kind above ${removed.kind}`;
    throw new Problem('definition_missing', `no definition claims ${claimed}`);
  }
  if (!places.fitsBelowParent(item)) {
    throw invalid([{ path: '', message: 'its kind belongs below another parent now' }]);
  }
  const strategy = strategyOf(collection);
  const { spec: stored } = openedRemoved(ports, removed);
  const { allowsOwnerReferences, scopePath } = strategy;
  const spec = scopePath === undefined ? stored : withRenamedScope(stored, scopePath, renamed);
  const ownerReferences = places.ownersOf(item);
  const content = prepareRestore(
    removed,
    { name, spec, ownerReferences, uidNow: (uid) => places.uidNow(uid) },
    { collection, allowsOwnerReferences },
  );
  await strategy.validateCreate(content, collection, ports);
  return { ...item, collection, content };
}

/** The resource with its sealed values in clear: they are sealed for its uid, and have to be sealed for the new one. */
function openedRemoved(ports: Ports, removed: Resource): Resource {
  try {
    return opened(ports, removed);
  } catch {
    const message = 'has sealed values whose encryption key is no longer configured';
    throw invalid([{ path: '/spec', message }]);
  }
}

/** The dependencies of every insert of a restore. */
interface RestoreContext {
  readonly ports: Ports;
  readonly transaction: Transaction;
  readonly request: RestoreRequest;
  readonly places: RestoredPlaces;
}

/** Inserts level by level, so that the change log has parents and owners before what depends on them. */
async function insertAll(
  context: RestoreContext,
  items: readonly PreparedItem[],
): Promise<readonly Restored[]> {
  const byUid = new Map(items.map((item) => [item.removed.uid, item]));
  const conflicts = new RestoreConflicts(items, context.places);
  const restored: Restored[] = [];
  const insert = async (item: PreparedItem) => {
    const resource = await insertItem(context, item, conflicts);
    if (resource !== null) restored.push({ from: item.removed.uid, resource });
  };
  for (const level of levelsOf(items)) {
    // Roles before the bindings that name them.
    const sorted = level.flatMap((uid) => byUid.get(uid) ?? []).sort(byKind);
    const isChecked = ({ collection }: PreparedItem) => strategyOf(collection).beforeCreate !== undefined;
    for (const item of sorted.filter(isChecked)) await insert(item);
    const free = sorted.filter((item) => !isChecked(item));
    for (let at = 0; at < free.length; at += pipelined)
      await allOf(free.slice(at, at + pipelined).map(insert));
  }
  conflicts.throwIfAny();
  const order = new Map(items.map(({ removed }, index) => [removed.uid, index]));
  return restored.sort((a, b) => (order.get(a.from) ?? 0) - (order.get(b.from) ?? 0));
}

/** Inserts an item. Returns null when something prevents it, which the conflicts then have. */
async function insertItem(
  { ports, transaction, request, places }: RestoreContext,
  item: PreparedItem,
  conflicts: RestoreConflicts,
): Promise<Resource | null> {
  const parent = places.parentOf(item);
  if (parent === null || conflicts.prevents(item)) return null;
  const { collection, content, uid } = item;
  try {
    const by = { caller: request.caller, verb: 'restore' } as const;
    await strategyOf(collection).beforeCreate?.(transaction, content, by);
  } catch (error) {
    conflicts.refused(item, error);
    return null;
  }
  const command = commandOf(request, item, { parent, places });
  const result = await tryInsert(transaction.writer, ports.identifiers, {
    ...command,
    uid,
    spec: specToStore(ports, collection, { uid, spec: command.spec }),
    ownerReferences: content.ownerReferences.filter((owner) => !conflicts.has(owner.uid)),
  });
  if (result.outcome !== 'created') conflicts.outcome(item, result);
  else if (result.resource.parentUid !== parent.uid) conflicts.replacedParent(item);
  else return result.resource;
  return null;
}

/** The uids in levels: parents, owners and scopes are in earlier levels than what names them. */
function levelsOf(items: readonly PreparedItem[]): readonly (readonly string[])[] {
  const nodes = items.map(({ removed, collection }) => {
    const node = nodeOf(removed);
    const { scopePath } = strategyOf(collection);
    const scope = scopePath === undefined ? null : scopeUidIn(removed.spec, scopePath);
    return scope === null ? node : { ...node, ownerUids: [...node.ownerUids, scope] };
  });
  const levels = restoreLevels(nodes);
  if (levels.flat().length === items.length) return levels;
  // Owners form no cycle, but a scope may belong to what names it. That is refused when it is inserted.
  return restoreLevels(items.map(({ removed }) => nodeOf(removed)));
}

/** Waits for all of them also when one fails: the transaction must not end before its statements do. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function byKind(a: RestoredItem, b: RestoredItem): number {
  return a.removed.kind < b.removed.kind ? -1 : a.removed.kind > b.removed.kind ? 1 : 0;
}

function commandOf(
  request: RestoreRequest,
  { collection, content, removed }: PreparedItem,
  { parent, places }: { readonly parent: RestoredParent; readonly places: RestoredPlaces },
): Omit<CreateCommand, 'uid' | 'discriminator'> {
  const { group, kind, ancestors } = collection;
  const steps = (ancestors ?? []).map((ancestor, index) => ({
    ...ancestor,
    name: parent.names[index] ?? '',
  }));
  const managed = restoredManagedFields(removed, (uid) => places.uidNow(uid));
  return createCommand(
    { ...request, operation: 'restore' },
    { collection, apiVersion: removed.apiVersion, ref: { group, kind, ancestors: steps } },
    { ...content, metadata: withManagedFields(content.metadata, managed) },
  );
}
