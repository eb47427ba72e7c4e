import { Problem, requireMet } from '@platform/kernel';
import { strategyOf } from '../kinds/table.ts';
import type { Collection } from '../model/definition.ts';
import type { Resource } from '../model/resource.ts';
import { definitionOf, notFound } from '../model/target.ts';
import { getResource } from './read.ts';
import type { ConditionalRequest, ResourcePorts } from './request.ts';
import { inTransaction } from './unit-of-work.ts';

/**
 * Changes the latest revision of an item, by a change that depends on what is stored. When somebody else writes between the read and the
 * write, it runs again under the lock of the row, so no change is lost.
 */
export async function changeLatest(
  ports: ResourcePorts,
  request: ConditionalRequest & { readonly collection: Collection },
  stored: Resource,
  change: (ports: ResourcePorts, stored: Resource) => Promise<Resource>,
): Promise<Resource> {
  const { target, precondition, collection } = request;
  requireMet(precondition, stored);
  try {
    return await change(ports, stored);
  } catch (error) {
    if (!isLostRace(error)) throw error;
  }
  return await inTransaction(ports, async (bound, transaction) => {
    await strategyOf(collection).lockBeforeUpdate?.(transaction);
    const row = await transaction.lockRow(target.ref, definitionOf(target));
    if (row === null) throw notFound();
    requireMet(precondition, row);
    return await change(bound, await getResource(bound, request));
  });
}

/** Whether the row was written meanwhile. A stale revision in the change itself looks the same, and the second attempt finds it again. */
function isLostRace(error: unknown): boolean {
  return (
    error instanceof Problem && (error.code === 'revision_conflict' || error.code === 'precondition_failed')
  );
}
