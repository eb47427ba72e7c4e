import { cascadeFinalizer } from '../model/names.ts';

/** The facts that decide a deletion. */
export interface DeletionFacts {
  readonly tombstoned: boolean;
  readonly finalizers: readonly string[];
  /** Whether a blocking dependent exists: a structural child, or an owner-reference dependent that blocks. */
  readonly blocked: boolean;
}

/**
 * The result of a DELETE request:
 * - `remove`: no finalizer or blocker keeps the row; its live dependents are tombstoned and it is removed, in one transaction.
 * - `tombstone`: a finalizer or blocker keeps the live row; it and its dependents are tombstoned.
 * - `wait`: a finalizer or blocker keeps the tombstone; it does not change.
 */
export type DeletionDecision = 'remove' | 'tombstone' | 'wait';

/** Decides a DELETE request. */
export function decideDeletion(facts: DeletionFacts): DeletionDecision {
  if (!isHeld(facts)) return 'remove';
  return facts.tombstoned ? 'wait' : 'tombstone';
}

/**
 * The collector's decision about one row. In every case except `ignore` its live immediate dependents are
 * tombstoned first.
 * - `ignore`: the row is live.
 * - `block`: blocking dependents remain; the cascade finalizer is added unless it is present.
 * - `hold`: other finalizers remain; the cascade finalizer is removed if present.
 * - `remove`: no finalizer or blocker keeps the row.
 */
export type CollectionDecision = 'ignore' | 'block' | 'hold' | 'remove';

/** Decides about one row of a run of the collector. */
export function decideCollection(facts: DeletionFacts): CollectionDecision {
  if (!facts.tombstoned) return 'ignore';
  if (facts.blocked) return 'block';
  return isHeld(facts) ? 'hold' : 'remove';
}

/** The cascade finalizer only records that blockers were seen; the blockers themselves keep the row. */
function isHeld(facts: DeletionFacts): boolean {
  return facts.blocked || facts.finalizers.some((name) => name !== cascadeFinalizer);
}
