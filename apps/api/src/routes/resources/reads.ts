import {
  type Blocker,
  type CollectionTarget,
  cascadeFinalizer,
  explainBlockers,
  getResource,
  type ItemTarget,
  listLimit,
  listPendingDeletion,
  listResources,
  parseContinue,
  parseLimit,
  pendingDeletionLimit,
  platformApiVersion,
  renderEnvelope,
  renderPage,
} from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import { envelopeAt, itemAnswer, type Operation, type ResourceCall } from './call.ts';

/** `GET` of an item. */
export const get: Operation<ItemTarget> = async ({ ports, caller, requestId }, target) =>
  itemAnswer(await getResource(ports, { caller, requestId, target }), target);

/** `GET` of a collection: one page, ordered by name. */
export const list: Operation<CollectionTarget> = async ({ ports, caller, requestId, query }, target) => {
  const { collection, version } = target;
  const parameters = query();
  const limit = parseLimit(parameters.getAll('limit'), listLimit);
  const after = parseContinue(parameters.getAll('continue'));
  const page = await listResources(ports, { caller, requestId, target, limit, after });
  const items = page.items.map((item) => envelopeAt(item, target));
  const text = renderPage(items, `${collection.group}/${version}`, `${collection.kind}List`, page.next);
  return { status: 200, body: text };
};

/** `GET .../deletion-blockers`: the dependents that keep a resource from being removed. */
export const getBlockers: Operation<ItemTarget> = async ({ ports, caller, requestId }, target) => {
  const { resource, blockers, truncated } = await explainBlockers(ports, { caller, requestId, target });
  const text = JSON.stringify({
    resourceUid: resource.uid,
    cascadeFinalizerPresent: resource.finalizers.includes(cascadeFinalizer),
    blockers: blockers.map(blockerItem),
    ...(truncated ? { truncated } : {}),
  });
  return { status: 200, body: text };
};

function blockerItem({ relationship, resource }: Blocker): object {
  const { apiVersion, kind, name, uid, deletionTimestamp, finalizers } = resource;
  // An owner-reference dependent is a blocker only when its reference blocks.
  const blocking = relationship === 'ownerReference' ? { blockOwnerDeletion: true } : {};
  return { relationship, apiVersion, kind, name, uid, ...blocking, deletionTimestamp, finalizers };
}

/** `GET pending-deletion`: terminating resources of all kinds at their stored `apiVersion`, oldest deletion first. */
export async function getPendingDeletion({ ports, caller, requestId, query }: ResourceCall): Promise<Answer> {
  const limit = parseLimit(query().getAll('limit'), pendingDeletionLimit);
  const rows = await listPendingDeletion(ports, { caller, requestId, limit });
  const items = rows.map((row) => renderEnvelope(row));
  return { status: 200, body: renderPage(items, platformApiVersion, 'PendingDeletionList', null) };
}
