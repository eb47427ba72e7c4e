import { Problem } from '@platform/kernel';
import { registeredCollection } from '../kinds/registered-collection.ts';
import { builtInCollectionOf } from '../kinds/table.ts';
import type { Collection } from '../model/definition.ts';
import { storedDefinitionSpec } from '../model/definition-spec.ts';
import { groupOf } from '../model/names.ts';
import type { RemovedResource } from '../model/removed-resource.ts';
import type { Resource } from '../model/resource.ts';
import { definitionOf, notFound } from '../model/target.ts';
import type { RemovedResources } from '../ports/removed-resources.ts';
import type { Transaction } from '../ports/transactions.ts';
import { restoredSet } from '../rules/restored-set.ts';
import { requireOfTarget } from './history.ts';
import type { ItemRequest } from './request.ts';

/** The most resources of one restore: one transaction writes them, and others wait for its locks. Larger deletions are restored in parts. */
const maxRestored = 10_000;

/** The most characters of their documents: they are in memory several times, and all of them are in the answer. */
const maxCharacters = 32 * 1024 * 1024;

/** How many are read at once: a read must not fill the memory before their size is known. */
const chunk = 100;

/** A removed resource that is to be created again. */
export interface RestoredItem {
  readonly removed: Resource;
  /** Null when its kind is no longer registered. */
  readonly collection: Collection | null;
  /** The uid that the new resource gets. */
  readonly uid: string;
  readonly name: string;
}

/** A request to restore a resource. */
export interface RestoreRequest extends ItemRequest {
  /** Whether to restore everything that its deletion removed with it. */
  readonly dependents: boolean;
  /** Its new name; null for the one that it had. */
  readonly name: string | null;
}

/** The removal of the requested resource. Throws `not_removed` while it exists, and `not_found` when the log does not know it. */
async function requireRemoved(
  { reader, removed }: Pick<Transaction, 'reader' | 'removed'>,
  { target }: ItemRequest,
): Promise<RemovedResource> {
  const { resource } = await reader.get(target.ref, definitionOf(target));
  if (resource !== null) {
    throw new Problem(
      'not_removed',
      resource.deletionTimestamp === null
        ? `${resource.kind} ${resource.name} was not removed.`
        : `${resource.kind} ${resource.name} is being deleted, and can be restored when it is gone.`,
    );
  }
  const [found] = target.ref.by === 'path' ? [] : await removed.find([target.ref.uid]);
  if (found === undefined) throw notFound();
  await requireOfTarget(reader, target, found.resource);
  return found;
}

/** Everything that the request restores, the requested resource first. Throws also `restore_too_large` and `restore_expired`. */
export async function readRestored(
  transaction: Transaction,
  request: RestoreRequest,
  newUid: () => string,
): Promise<readonly RestoredItem[]> {
  const root = await requireRemoved(transaction, request);
  const resources = await readResources(transaction.removed, root, request.dependents);
  const collectionOf = await readCollections(transaction, resources);
  return resources.map((resource) => ({
    removed: resource,
    collection: collectionOf(resource),
    uid: newUid(),
    name: resource === root.resource ? (request.name ?? resource.name) : resource.name,
  }));
}

async function readResources(
  removed: RemovedResources,
  { resource: root, cascadeId }: RemovedResource,
  dependents: boolean,
): Promise<readonly Resource[]> {
  if (!dependents || cascadeId === null) return [root];
  const nodes = await removed.removedBy(cascadeId, 10 * maxRestored + 1);
  const uids = restoredSet(root.uid, nodes).filter((uid) => uid !== root.uid);
  if (nodes.length > 10 * maxRestored || uids.length >= maxRestored) throw tooLarge();
  // Attack on operators: months later a restore brings back a part, which they take for the whole.
  if (root.deletionTimestamp !== null && !(await removed.hasTombstoning(root.uid))) throw expired();
  const resources = [root];
  let characters = sizeOf(root);
  for (let at = 0; at < uids.length; at += chunk) {
    for (const { resource } of await removed.find(uids.slice(at, at + chunk))) {
      resources.push(resource);
      characters += sizeOf(resource);
    }
    if (characters > maxCharacters) throw tooLarge();
  }
  if (resources.length <= uids.length) throw expired();
  return resources;
}

function sizeOf({ metadata, spec }: Resource): number {
  return metadata.length + spec.length;
}

function expired(): Problem {
  return new Problem(
    'restore_expired',
    'The change log no longer reaches back to the beginning of the deletion, so some of what it removed may be forgotten. Restore the resource with dependents: false, then its dependents that are left one by one.',
  );
}

function tooLarge(): Problem {
  return new Problem(
    'restore_too_large',
    `The deletion removed more than one restore brings back (${maxRestored} resources of 32 MiB); restore the resource with dependents: false, then its dependents one by one.`,
    { members: { limit: maxRestored } },
  );
}

/** The collections of the kinds of the resources, as the transaction sees them. */
export async function readCollections(
  { reader, catalog }: Transaction,
  resources: readonly Pick<Resource, 'apiVersion' | 'kind'>[],
): Promise<(resource: Pick<Resource, 'apiVersion' | 'kind'>) => Collection | null> {
  const collections = new Map<string, Collection | null>();
  const kinds = new Map(
    resources.map(({ apiVersion, kind }) => {
      const group = groupOf(apiVersion);
      return [`${group}/${kind}`, { group, kind }];
    }),
  );
  for (const [key, kind] of kinds) collections.set(key, builtInCollectionOf(kind));
  const registered = [...kinds].filter(([key]) => collections.get(key) === null).map(([, kind]) => kind);
  for (const definition of await reader.definitionsOf(registered)) {
    const { group, kind, plural } = storedDefinitionSpec(definition);
    const { chain, version } = await catalog.load(group, plural);
    collections.set(`${group}/${kind}`, registeredCollection(chain, version));
  }
  return ({ apiVersion, kind }) => collections.get(`${groupOf(apiVersion)}/${kind}`) ?? null;
}
