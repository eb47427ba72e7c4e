import { invalid } from '@platform/kernel';
import { type Collection, storageVersion } from '../model/definition.ts';
import type { KindStrategy, Proposed, StrategyDeps } from './strategy.ts';

/** The rules of every kind that a definition registers. */
export const registeredKind: KindStrategy = {
  allowsOwnerReferences: true,

  /** Controllers write status and finalizers of the kinds that list them. An empty list denies all controllers. */
  allows(caller, form, { allowedStatusControllerIds }) {
    if (caller.type === 'operator') return true;
    const isSubresource = form === 'status' || form === 'finalizers';
    return isSubresource && caller.type === 'controller' && allowedStatusControllerIds.includes(caller.id);
  },

  validateCreate: validateSpec,
  validateUpdate: validateSpec,
};

/** Validates `spec` by the schema of the storage version. Throws `schema_violation` with all faults. */
async function validateSpec(
  { spec }: Proposed,
  collection: Collection,
  { schemas }: StrategyDeps,
): Promise<void> {
  const { schema } = storageVersion(collection);
  if (schema === null) return;
  const faults = await schemas.validate(schema, spec);
  if (faults.length === 0) return;
  throw invalid(
    faults.map(({ path, message }) => ({ path: `/spec${path}`, message })),
    'schema_violation',
  );
}
