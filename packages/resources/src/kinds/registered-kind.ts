import { invalid } from '@platform/kernel';
import { type Collection, storageVersion } from '../model/definition.ts';
import type { JsonText } from '../model/resource.ts';
import type { KindStrategy, Proposed, StrategyDeps } from './strategy.ts';

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
  validateUpdate: (proposed, collection, deps, stored) =>
    validateSpec(proposed, collection, deps, stored.spec),
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
    faults.map(({ path, message }) => ({ path: `/spec${path}`, message })),
    'schema_violation',
  );
}
