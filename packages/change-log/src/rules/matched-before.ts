import type { Operation, Resource } from '@platform/resources';
import type { ChangeEntry } from '../model/change-entry.ts';

/** Operations that change nothing that a selector reads. */
const keepsSelected: ReadonlySet<Operation> = new Set(['status', 'finalizers', 'release']);
/** Operations that make a resource a tombstone and change nothing else that a selector reads. */
const tombstones: ReadonlySet<Operation> = new Set(['delete', 'cascade']);

/**
 * Whether the resource matched before the change. The state before is missing where the log does not reach back to it: the resource was not
 * written for longer than the retention. Then the operation may tell; null when it does not.
 */
export function matchedBefore(
  { resource, previous, operation, removed }: ChangeEntry,
  matches: (resource: Resource) => boolean,
): boolean | null {
  if (previous !== null) return matches(previous);
  if (removed || keepsSelected.has(operation)) return matches(resource);
  if (resource.revision === 1) return false;
  return tombstones.has(operation) ? matches({ ...resource, deletionTimestamp: null }) : null;
}
