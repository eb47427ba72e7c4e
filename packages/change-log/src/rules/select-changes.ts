import { groupOf, matchesLabels, type Resource, type SubscriptionSelector } from '@platform/resources';
import type { ChangeEntry } from '../model/change-entry.ts';

/**
 * Whether a subscription gets an entry: the resource is selected, or was before the write. A subscription does not get the status that
 * the platform writes about it: otherwise a receiver that fails would cause the next event by failing.
 */
export function isSelected(
  { resource, previous, operation, actor }: ChangeEntry,
  selector: SubscriptionSelector,
  subscriptionUid: string,
): boolean {
  if (resource.uid === subscriptionUid && operation === 'status' && actor.type === 'system') return false;
  return selects(resource, selector) || (previous !== null && selects(previous, selector));
}

function selects(
  { apiVersion, kind, uid, ancestorUids, labels }: Resource,
  selector: SubscriptionSelector,
): boolean {
  const { kinds, scope } = selector;
  const group = groupOf(apiVersion);
  return (
    (kinds.length === 0 ||
      kinds.some((one) => one.kind === kind && (one.group === null || one.group === group))) &&
    (scope === null || scope === uid || ancestorUids.includes(scope)) &&
    matchesLabels(selector.labels, labels)
  );
}
