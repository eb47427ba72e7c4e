import { type ItemTarget, type PlannedResource, planResourceDeletion } from '@platform/resources';
import { ref } from '../../endpoint/documentation.ts';
import { addressing, type ResourceOperation } from './operation.ts';

/** `GET .../deletion-plan`: everything that a DELETE would delete, with the hash that ties a DELETE to it. */
export const getDeletionPlan: ResourceOperation<ItemTarget> = {
  form: 'deletionPlan',
  method: 'GET',
  verb: 'get',
  comparesGuard: true,
  summary: (kind) => `Plan the deletion of ${kind}`,
  description: 'Everything that the deletion would delete, over parents and owners at any depth.',
  responses: () => ({ 200: { description: 'The plan.', schema: ref('DeletionPlan') } }),
  problems: [...addressing, 'contention'],
  async run({ ports, caller, requestId }, target) {
    const plan = await planResourceDeletion(ports, { caller, requestId, target });
    const text = JSON.stringify({
      hash: plan.hash,
      counts: plan.counts,
      resources: plan.resources.map(plannedItem),
      protected: plan.protected,
      ...(plan.truncated ? { truncated: true } : {}),
    });
    return { status: 200, body: text };
  },
};

/** The item has the members of the identity too, as in other lists. */
function plannedItem({ resource, because, effect, heldBy }: PlannedResource): object {
  const { relationship, owner, blockOwnerDeletion } = because;
  const reason = {
    relationship,
    ...(owner === null ? {} : { owner }),
    ...(blockOwnerDeletion === null ? {} : { blockOwnerDeletion }),
  };
  return { identity: resource, ...resource, because: reason, effect, heldBy };
}
