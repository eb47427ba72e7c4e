import type { ChangeEntry } from '@platform/change-log';
import type { Resource } from '@platform/resources';
import type { EventType } from '../model/stream-event.ts';

/** Whether a resource is one of those that a stream selects. */
export type Matches = (resource: Resource) => boolean;

/**
 * The event that a change is for a stream, or null when the stream does not show it. With a selector, a resource that starts to match
 * is `ADDED` and one that stops matching is `DELETED`, as in Kubernetes; a tombstone is an ordinary modification.
 */
export function eventTypeOf(
  { removed, resource, previous }: ChangeEntry,
  matches: Matches | null,
): EventType | null {
  if (removed) return matches === null || matches(resource) ? 'DELETED' : null;
  if (matches === null) return resource.revision === 1 ? 'ADDED' : 'MODIFIED';
  const did = previous !== null && matches(previous);
  const does = matches(resource);
  if (did) return does ? 'MODIFIED' : 'DELETED';
  return does ? 'ADDED' : null;
}
