import { cascadeFinalizer } from '../model/names.ts';

/** What a deletion decision looks at. */
export interface DeletionFacts {
  readonly tombstoned: boolean;
  readonly finalizers: readonly string[];
  /** Whether a blocking dependent exists: a structural child, or an owner-reference dependent that blocks. */
  readonly blocked: boolean;
}

/**
 * The words of the lifecycle (specification, "Resource lifecycle"):
 * - `remove`: nothing holds the row; its live dependents are tombstoned and the row goes, in one transaction.
 * - `tombstone`: something holds the live row; it and its dependents are tombstoned.
 * - `wait`: something holds the tombstone; it stays as it is.
 */
export type DeletionDecision = 'remove' | 'tombstone' | 'wait';

/** Decides a DELETE request. */
export function decideDeletion(facts: DeletionFacts): DeletionDecision {
  if (!isHeld(facts)) return 'remove';
  return facts.tombstoned ? 'wait' : 'tombstone';
}

/**
 * What the collector does with one row (`try_collect`). In every case but `ignore` its live immediate dependents are
 * tombstoned first.
 * - `ignore`: the row is live.
 * - `block`: blocking dependents remain; the cascade finalizer is ensured.
 * - `hold`: other finalizers remain; the cascade finalizer is dropped if present.
 * - `remove`: nothing holds the row any more.
 */
export type CollectionDecision = 'ignore' | 'block' | 'hold' | 'remove';

/** Decides one row of a sweep. */
export function decideCollection(facts: DeletionFacts): CollectionDecision {
  if (!facts.tombstoned) return 'ignore';
  if (facts.blocked) return 'block';
  return isHeld(facts) ? 'hold' : 'remove';
}

/** The cascade finalizer only says that blockers were seen; the blockers themselves are what holds a row. */
function isHeld(facts: DeletionFacts): boolean {
  return facts.blocked || facts.finalizers.some((name) => name !== cascadeFinalizer);
}
