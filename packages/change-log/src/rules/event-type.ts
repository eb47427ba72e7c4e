import type { Operation, Resource } from '@platform/resources';
import type { ChangeEntry } from '../model/change-entry.ts';
import type { EventType } from '../model/stream-event.ts';

/** Whether a resource is one of those that a stream selects. */
export interface Matches {
  (resource: Resource): boolean;
  /** Whether the status decides, too. */
  readonly readsStatus?: true;
}

/** Whether the caller of a stream may see a resource; for a RoleBinding with the uids of its scope and of everything above that. */
export type Sees = (resource: Resource, scopeUids: readonly string[]) => boolean;

/** A change as a stream shows it. */
export interface ShownChange {
  readonly type: EventType;
  readonly change: ChangeEntry;
}

/**
 * The type of a change for a stream that shows only what its caller may see, or null. The scope of a RoleBinding can change: one that leaves
 * what the caller may see is `DELETED`.
 *
 * Attack: a stream tells what became of a binding outside of the caller's scope. So the event has the state before.
 */
export function shownChange(
  change: ChangeEntry,
  matches: Matches | null,
  sees: Sees | null,
): ShownChange | null {
  const { resource, previous, scopeUids, previousScopeUids } = change;
  const seesNow = sees === null || sees(resource, scopeUids);
  const sawBefore = sees === null || (previous === null ? seesNow : sees(previous, previousScopeUids));
  if (seesNow && sawBefore) {
    const type = eventTypeOf(change, matches);
    return type === null ? null : { type, change };
  }
  if (seesNow) return (matches?.(resource) ?? true) ? { type: 'ADDED', change } : null;
  if (!sawBefore || previous === null || matches?.(previous) === false) return null;
  return { type: 'DELETED', change: { ...change, resource: previous } };
}

/**
 * The event that a change is for a stream, or null when the stream does not show it. With a selector, a resource that starts to match
 * is `ADDED` and one that stops matching is `DELETED`, as in Kubernetes; a tombstone is an ordinary modification. Where nobody knows whether
 * it matched, it is told as if it had stopped: a client that did not know it loses nothing, and one that did would keep it.
 */
function eventTypeOf(change: ChangeEntry, matches: Matches | null): EventType | null {
  const { removed, resource } = change;
  if (removed) return matches === null || matches(resource) ? 'DELETED' : null;
  if (matches === null) return resource.revision === 1 ? 'ADDED' : 'MODIFIED';
  const matched = matchedBefore(change, matches);
  if (matches(resource)) return matched === true ? 'MODIFIED' : 'ADDED';
  return matched === false ? null : 'DELETED';
}

/** Operations that change nothing that a selector reads, unless it reads the status. */
const keepsSelected: ReadonlySet<Operation> = new Set(['status', 'finalizers', 'release']);
/** Operations that make a resource a tombstone and change nothing else that a selector reads. */
const tombstones: ReadonlySet<Operation> = new Set(['delete', 'cascade']);

/**
 * Whether the resource matched before the change. The state before is missing where the log does not reach back to it: the resource was not
 * written for longer than the retention. Then the operation may tell; null when it does not.
 */
export function matchedBefore(
  { resource, previous, operation, removed }: ChangeEntry,
  matches: Matches,
): boolean | null {
  if (previous !== null) return matches(previous);
  if (operation === 'status' && matches.readsStatus === true) return null;
  if (removed || keepsSelected.has(operation)) return matches(resource);
  if (resource.revision === 1) return false;
  return tombstones.has(operation) ? matches({ ...resource, deletionTimestamp: null }) : null;
}
