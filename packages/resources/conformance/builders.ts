import { randomUUID } from 'node:crypto';
import { type ChangeContext, systemChange } from '../src/model/change-context.ts';
import type { DefinitionVersion, GroupKind, KindVersion } from '../src/model/definition.ts';
import { groupOf } from '../src/model/names.ts';
import type { OwnerReference } from '../src/model/owner-reference.ts';
import type { Resource } from '../src/model/resource.ts';
import type { CollectionRef, PathRef, PathStep, UidRef } from '../src/model/target.ts';
import type { CreateCommand, ReplaceCommand } from '../src/ports/resource-writer.ts';
import type { StoreUnderTest } from './suite.ts';

/** The group of the kinds in these tests: Widget at the root, Part below it, Screw below Part. */
export const group = 'example.dev';
export const apiVersion = `${group}/v1`;

let made = 0;

/** The context of writes in tests that are about something else. */
export const testChange: ChangeContext = systemChange('test', 'update');

/** The collection of a kind below the given rows, root-most first. */
export function collection(kind: string, ...ancestors: readonly Resource[]): CollectionRef {
  return { group, kind, ancestors: ancestors.map(stepOf) };
}

/** A valid create: a root-scoped Widget with a new name and discriminator. */
export function creation(changes: Partial<CreateCommand> = {}): CreateCommand {
  made += 1;
  return {
    change: testChange,
    definition: null,
    collection: collection('Widget'),
    uid: randomUUID(),
    apiVersion,
    name: `n${made}`,
    discriminator: `d${made.toString(36).padStart(7, '0')}`,
    labels: {},
    metadata: '{"annotations":{}}',
    spec: '{}',
    finalizers: [],
    ownerReferences: [],
    ...changes,
  };
}

/** Stores a row and returns it. */
export async function given(store: StoreUnderTest, changes: Partial<CreateCommand> = {}): Promise<Resource> {
  return created(await store.writer.create(creation(changes)));
}

/** Stores a row of the kind below the given ones. */
export function givenBelow(
  store: StoreUnderTest,
  ancestors: readonly Resource[],
  kind: string,
  changes: Partial<CreateCommand> = {},
): Promise<Resource> {
  return given(store, { collection: collection(kind, ...ancestors), ...changes });
}

/** The resource of an outcome that must be `created`. */
export function created(outcome: { outcome: string; resource?: Resource }): Resource {
  if (outcome.outcome !== 'created' || outcome.resource === undefined) {
    throw new Error(`expected a created row, got ${JSON.stringify(outcome)}`);
  }
  return outcome.resource;
}

/** A replacement of the row by its own content. */
export function replacement(resource: Resource, changes: Partial<ReplaceCommand> = {}): ReplaceCommand {
  return {
    change: testChange,
    definition: null,
    uid: resource.uid,
    revision: resource.revision,
    apiVersion: resource.apiVersion,
    labels: resource.labels,
    metadata: resource.metadata,
    spec: resource.spec,
    specChanged: false,
    finalizers: resource.finalizers,
    ownerReferences: resource.ownerReferences,
    addedOwners: [],
    ...changes,
  };
}

/** A replacement that only adds owners. */
export function adoption(resource: Resource, ...added: readonly OwnerReference[]): ReplaceCommand {
  return replacement(resource, {
    ownerReferences: [...resource.ownerReferences, ...added],
    addedOwners: added,
  });
}

export function stepOf(resource: Resource): PathStep {
  return { group: groupOf(resource.apiVersion), kind: resource.kind, name: resource.name };
}

/** The item by its path; the rows are the ancestors, root-most first, and then the item. */
export function byPath(...rows: readonly Resource[]): PathRef {
  return { by: 'path', steps: rows.map(stepOf) };
}

export function byUid(resource: Resource): UidRef {
  return { by: 'uid', uid: resource.uid, group: groupOf(resource.apiVersion), kind: resource.kind };
}

/** A reference to the row as an owner. It does not block deletion by default. */
export function ownedBy(owner: Resource, changes: Partial<OwnerReference> = {}): OwnerReference {
  const { apiVersion: version, kind, name, uid } = owner;
  return { apiVersion: version, kind, name, uid, blockOwnerDeletion: false, ...changes };
}

/** The stored row, found by UID; null when it was removed. */
export async function read(store: StoreUnderTest, resource: Resource): Promise<Resource | null> {
  const outcome = await store.reader.get(byUid(resource), null);
  if (outcome.outcome !== 'read') throw new Error('the read returned another outcome');
  return outcome.resource;
}

/** The stored row. Throws when it was removed. */
export async function reread(store: StoreUnderTest, resource: Resource): Promise<Resource> {
  const found = await read(store, resource);
  if (found === null) throw new Error(`${resource.kind} ${resource.name} is gone`);
  return found;
}

/** The names in the first thousand rows of a collection. */
export async function namesIn(store: StoreUnderTest, where: CollectionRef): Promise<readonly string[]> {
  const page = await store.reader.list(where, { limit: 1000, after: null }, null);
  if (page.outcome !== 'page') throw new Error(`expected a page, got ${page.outcome}`);
  return page.items.map((item) => item.name);
}

/** The content of a definition in these tests; the plural is the kind in lower case with an `s`. */
export interface DefinitionShape extends GroupKind {
  readonly parent?: GroupKind | null;
  readonly versions?: readonly Pick<KindVersion, 'name' | 'served' | 'storage'>[];
}

/** The spec of a definition as its client would send it. */
export function definitionSpec({ parent, versions, ...identity }: DefinitionShape): string {
  return JSON.stringify({
    group: identity.group,
    kind: identity.kind,
    plural: `${identity.kind.toLowerCase()}s`,
    ...(parent === undefined
      ? {}
      : { parent: parent && { apiVersion: `${parent.group}/v1`, kind: parent.kind } }),
    versions: versions ?? [{ name: 'v1', served: true, storage: true }],
  });
}

/** A create of a definition. */
export function definitionCreation(
  shape: DefinitionShape,
  changes: Partial<CreateCommand> = {},
): CreateCommand {
  return creation({
    collection: { group: 'platform.dev', kind: 'ResourceDefinition', ancestors: [] },
    apiVersion: 'platform.dev/v1alpha1',
    name: `${shape.kind.toLowerCase()}s.${shape.group}`,
    spec: definitionSpec(shape),
    ...changes,
  });
}

/** Stores a definition. */
export async function givenDefinition(store: StoreUnderTest, shape: DefinitionShape): Promise<Resource> {
  return created(await store.writer.create(definitionCreation(shape)));
}

/** The stored version of a definition; null when it was removed. */
export function versionOf(store: StoreUnderTest, definition: Resource): Promise<DefinitionVersion> {
  const { group: definedGroup, plural } = JSON.parse(definition.spec);
  return store.definitions.version(definedGroup, plural);
}

/** A replacement of a definition by one with another spec. */
export function edition(definition: Resource): ReplaceCommand {
  const spec = {
    ...JSON.parse(definition.spec),
    allowedStatusControllerIds: [`ctrl-${definition.revision}`],
  };
  return replacement(definition, { spec: JSON.stringify(spec), specChanged: true });
}

/** Stores an Organization. */
export function givenOrganization(store: StoreUnderTest, name: string): Promise<Resource> {
  return given(store, organization(name));
}

export function organization(name: string): Partial<CreateCommand> {
  return {
    collection: { group: 'platform.dev', kind: 'Organization', ancestors: [] },
    apiVersion: 'platform.dev/v1alpha1',
    name,
  };
}
