import { type Blocker, cascadeFinalizer, explainBlockers } from '@platform/resources';
import type { Operation } from './call.ts';
import { itemRequest } from './requests.ts';

/** `GET .../deletion-blockers`: what keeps a resource from being collected (contract 2, "Bodies"). */
export const getBlockers: Operation = async (call) => {
  const report = await explainBlockers(call.ports, itemRequest(call));
  const { resource, blockers, truncated } = report;
  const text = JSON.stringify({
    resourceUid: resource.uid,
    cascadeFinalizerPresent: resource.finalizers.includes(cascadeFinalizer),
    blockers: blockers.map(blockerItem),
    ...(truncated ? { truncated } : {}),
  });
  return { status: 200, text };
};

function blockerItem({ relationship, resource }: Blocker): object {
  const { apiVersion, kind, name, uid, deletionTimestamp, finalizers } = resource;
  // Only references that block make an owner-reference dependent a blocker.
  const blocking = relationship === 'ownerReference' ? { blockOwnerDeletion: true } : {};
  return { relationship, apiVersion, kind, name, uid, ...blocking, deletionTimestamp, finalizers };
}
