import type { ResourceIdentity } from '../model/resource.ts';

/** The resources that a plan named, for as long as somebody may refer to it. */
export interface StoredPlan {
  readonly hash: string;
  /** The resource that the plan is about; it is not among `resources`. */
  readonly rootUid: string;
  readonly resources: readonly ResourceIdentity[];
}

/** Keeps the plans that were shown, so that a deletion can tell what has changed since. */
export interface DeletionPlans {
  /** Must keep the plan for at least {@link planRetentionMs}, from now on also when it was kept before. */
  save(plan: StoredPlan): Promise<void>;

  /** Must return the plan with that hash, or null when there is none any more. */
  find(hash: string): Promise<StoredPlan | null>;
}

/** A day. */
export const planRetentionMs = 24 * 3_600_000;
