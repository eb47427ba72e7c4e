import { Problem } from '@platform/kernel';
import { actorOf } from '../model/caller.ts';
import type { Resource, ResourceIdentity } from '../model/resource.ts';
import { notFound } from '../model/target.ts';
import type { Transaction } from '../ports/transactions.ts';
import { type DeletionPlan, planDeletion } from '../rules/plan-deletion.ts';
import { getResource } from './read.ts';
import { auditIdentity, type ItemRequest, type ResourcePorts } from './request.ts';
import { visibleTo } from './visibility.ts';

/** The most dependents of a plan. A DELETE with the plan locks them all. */
const maxPlanned = 10_000;
/** The most resources that a refusal lists as added, and as removed. */
const maxListed = 1_000;

/** A plan as the caller may see it. */
export interface ShownPlan extends DeletionPlan {
  /** The number of `resources` of each kind. */
  readonly counts: Readonly<Record<string, number>>;
  readonly truncated: boolean;
}

/** Says which resources a deletion would affect, and keeps the plan for a DELETE that names it. Throws `not_found`. */
export async function planResourceDeletion(
  ports: Pick<ResourcePorts, 'reader' | 'plans' | 'audit'>,
  request: ItemRequest,
): Promise<ShownPlan> {
  const resource = await getResource(ports, request);
  const graph = await ports.reader.deletionGraph(resource.uid, { limit: maxPlanned, follow: 'all' });
  if (graph === null) throw notFound();
  const plan = planDeletion(graph);
  const identities = plan.resources.map((planned) => planned.resource);
  if (plan.hash !== null) {
    await ports.plans.save({ hash: plan.hash, rootUid: resource.uid, resources: identities });
  }
  ports.audit.record({
    message: 'resource.deletion_planned',
    requestId: request.requestId,
    actor: actorOf(request.caller),
    ...auditIdentity(resource),
  });
  const isVisible = await visibleTo(ports, request.caller, [...identities, ...plan.protected]);
  return { ...shownPlan(plan, resource.uid, isVisible), truncated: !graph.complete };
}

/** The part of a plan that the caller may see; the caller sees the resource that is to be deleted. */
function shownPlan(
  plan: DeletionPlan,
  rootUid: string,
  isVisible: (resource: ResourceIdentity) => boolean,
): Omit<ShownPlan, 'truncated'> {
  // Attack: a resource of the caller belongs to one of others, and the plan tells what that one belongs to.
  const shownOwner = (owner: ResourceIdentity | null) =>
    owner !== null && (owner.uid === rootUid || isVisible(owner)) ? owner : null;
  const resources = plan.resources
    .filter((planned) => isVisible(planned.resource))
    .map((planned) => ({
      ...planned,
      because: { ...planned.because, owner: shownOwner(planned.because.owner) },
      heldBy: planned.heldBy.filter((holder) => isVisible(holder.resource)),
    }));
  const counts: Record<string, number> = {};
  for (const { resource } of resources) counts[resource.kind] = (counts[resource.kind] ?? 0) + 1;
  return { hash: plan.hash, resources, counts, protected: plan.protected.filter(isVisible) };
}

/** Throws `plan_changed` unless the deletion of the locked row affects exactly the resources of the plan. They stay locked. */
export async function requirePlanned(
  { deletion, plans, reader }: Transaction,
  { uid }: Resource,
  { plan: hash, caller }: Pick<ItemRequest, 'caller'> & { readonly plan: string },
): Promise<void> {
  const plan = planDeletion(await deletion.lockGraph(uid, maxPlanned));
  if (plan.hash !== null && plan.hash === hash) return;
  const stored = await plans.find(hash);
  const before = stored?.rootUid === uid ? stored.resources : null;
  const now = plan.resources.map((planned) => planned.resource);
  const [added, removed] = [without(now, before ?? []), without(before ?? [], now)];
  const isVisible = await visibleTo({ reader }, caller, [...added, ...removed]);
  throw new Problem(
    'plan_changed',
    before === null
      ? 'The plan is unknown or too old; make a new one and look at it before you delete.'
      : 'The deletion would affect other resources than the plan says; make a new plan and look at it before you delete.',
    {
      members: {
        added: added.filter(isVisible).slice(0, maxListed),
        removed: removed.filter(isVisible).slice(0, maxListed),
      },
    },
  );
}

function without(
  identities: readonly ResourceIdentity[],
  others: readonly ResourceIdentity[],
): readonly ResourceIdentity[] {
  const uids = new Set(others.map(({ uid }) => uid));
  return identities.filter(({ uid }) => !uids.has(uid));
}
