import { groupOf, matchesLabels, type Resource, type SubscriptionSelector } from '@platform/resources';
import type { ChangeEntry } from '../model/change-entry.ts';
import { matchedBefore } from './event-type.ts';

/**
 * Whether a subscription gets an entry: the resource is selected, or may have been before the write. A subscription does not get the status
 * that the platform writes about it: otherwise a receiver that fails would cause the next event by failing.
 */
export function isSelected(
  change: ChangeEntry,
  { kinds, scope, labels }: SubscriptionSelector,
  subscriptionUid: string,
): boolean {
  const { resource, operation, actor } = change;
  if (resource.uid === subscriptionUid && operation === 'status' && actor.type === 'system') return false;
  const group = groupOf(resource.apiVersion);
  const isOfKind = kinds.some(
    (one) => one.kind === resource.kind && (one.group === null || one.group === group),
  );
  if (kinds.length > 0 && !isOfKind) return false;
  if (scope !== null && scope !== resource.uid && !resource.ancestorUids.includes(scope)) return false;
  const matches = (state: Resource) => matchesLabels(labels, state.labels);
  return matches(resource) || matchedBefore(change, matches) !== false;
}
