import { invalid } from '@platform/kernel';
import { type Collection, type GroupKind, platformGroup, storageVersion } from '../model/definition.ts';
import { sameJson } from '../model/json-equality.ts';
import type { JsonText } from '../model/resource.ts';
import { configMapKind } from './config-map.ts';
import { leaseKind } from './lease.ts';
import { organizationKind } from './organization.ts';
import { resourceDefinitionKind } from './resource-definition.ts';
import { roleKind } from './role.ts';
import { roleBindingKind } from './role-binding.ts';
import { secretKind } from './secret.ts';
import type { BuiltInKind, KindStrategy, Proposed, StrategyDeps } from './strategy.ts';
import { subscriptionKind } from './subscription.ts';

/** Every built-in kind. A new kind is a file in this folder and a line here. */
const builtInKinds: readonly BuiltInKind[] = [
  organizationKind,
  resourceDefinitionKind(isRootKind),
  roleKind,
  roleBindingKind,
  secretKind,
  configMapKind,
  leaseKind,
  subscriptionKind(builtInCollectionOf),
];

/** The collections of the built-in kinds. */
export const builtInCollections: readonly Collection[] = builtInKinds.map(({ collection }) => collection);

/** Whether the kind is built in and root-scoped. Only such kinds can be the parents of registered ones. */
export function isRootKind(groupKind: GroupKind): boolean {
  return builtInCollectionOf(groupKind)?.ancestors?.length === 0;
}

/** The built-in collection of that group and plural, or null. */
export function findBuiltInCollection(group: string, plural: string): Collection | null {
  if (group !== platformGroup) return null;
  return builtInKinds.find(({ collection }) => collection.plural === plural)?.collection ?? null;
}

/** The built-in collection of that kind, or null. A registered `Organization` of another group is not built in. */
export function builtInCollectionOf(kind: GroupKind): Collection | null {
  return findBuiltInKind(kind)?.collection ?? null;
}

/** The rules of the kind of a collection. */
export function strategyOf(kind: GroupKind): KindStrategy {
  return findBuiltInKind(kind)?.strategy ?? registeredKind;
}

function findBuiltInKind({ group, kind }: GroupKind): BuiltInKind | undefined {
  if (group !== platformGroup) return undefined;
  return builtInKinds.find(({ collection }) => collection.kind === kind);
}

/** The rules of every kind that a definition registers. */
export const registeredKind: KindStrategy = {
  allowsOwnerReferences: true,

  /**
   * Controllers write status and finalizers of the kinds that list them, and read those kinds when their configuration says so. An empty
   * list denies all controllers.
   */
  allows(caller, form, { allowedStatusControllerIds }, use) {
    if (caller.type === 'operator') return true;
    if (caller.type !== 'controller' || !allowedStatusControllerIds.includes(caller.id)) return false;
    if (form === 'status' || form === 'finalizers') return true;
    return caller.reads === true && use === 'read' && (form === 'item' || form === 'collection');
  },

  validateCreate: (proposed, collection, deps) => validateSpec(proposed, collection, deps, null),
  async validateUpdate(proposed, collection, deps, stored) {
    // Otherwise a schema that has changed since keeps clients from removing their finalizers, and so the resource for good.
    if (stored.deletionTimestamp !== null && sameJson(stored.spec, proposed.spec.text)) return;
    await validateSpec(proposed, collection, deps, stored.spec);
  },
};

/** Validates `spec` by the schema of the storage version. Throws `schema_violation` with all faults. */
async function validateSpec(
  { name, spec }: Proposed,
  collection: Collection,
  { schemas }: StrategyDeps,
  before: JsonText | null,
): Promise<void> {
  const { schema } = storageVersion(collection);
  if (schema === null) return;
  const faults = await schemas.validate(schema, spec, { name, before });
  if (faults.length === 0) return;
  throw invalid(
    faults.map((fault) => ({ ...fault, path: `/spec${fault.path}` })),
    'schema_violation',
  );
}
