import type { DeletionPlan } from '../../api/resource.ts';
import type { Row } from '../../live/row.ts';

/** The plans of several deletions as one. */
export interface CommonPlan {
  readonly plan: DeletionPlan;
  /** The selected that are not deleted with another one: these are deleted, with the plan that was shown. */
  readonly roots: readonly { readonly row: Row; readonly hash: string | null }[];
}

export function commonPlan(plans: readonly (readonly [Row, DeletionPlan])[]): CommonPlan {
  const selected = new Set(plans.map(([{ uid }]) => uid));
  const along = new Map(
    plans.flatMap(([, { resources }]) => resources.map((one) => [one.identity.uid, one] as const)),
  );
  const resources = [...along.values()].filter(({ identity }) => !selected.has(identity.uid));
  const counts: Record<string, number> = {};
  for (const { identity } of resources) counts[identity.kind] = (counts[identity.kind] ?? 0) + 1;
  const guarded = plans.flatMap(([, plan]) => plan.protected).map((one) => [one.uid, one] as const);
  const roots = plans.filter(([{ uid }]) => !along.has(uid));
  return {
    plan: {
      hash: '',
      counts,
      resources,
      protected: [...new Map(guarded).values()],
      ...(plans.some(([, { truncated }]) => truncated === true) ? { truncated: true } : {}),
    },
    roots: roots.map(([row, { hash }]) => ({ row, hash })),
  };
}
