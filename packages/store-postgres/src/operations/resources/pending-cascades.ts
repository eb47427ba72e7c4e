/**
 * A DELETE with very many dependents writes none of them: it writes one row of `pending_cascades`. Until the collector has marked them as deleted, they
 * are tombstones by derivation:
 *
 *     pending_cascades    owner_uid ──┬── parent_uid of a live row        reads: deletedAt, revisionOf, isLive
 *                                     └── in its owner references         writes: the trigger stamp_pending_cascade
 *
 * The table is nearly always empty. A subquery that depends on no row reads it once a statement.
 */
const owners = '(select array_agg(owner_uid) from pending_cascades)::uuid[]';

/** SQL for whether a row of `resources` is a tombstone only because a cascade to it is pending; null or false when it is not. */
export function isCascading(alias: string): string {
  return `(${alias}.deletion_timestamp is null and (${alias}.parent_uid = any(${owners})
    or ${alias}.owner_references <> '[]' and owner_uids(${alias}.owner_references) && ${owners}))`;
}

const causeOf = (alias: string) => `pending_cascade(${alias}.parent_uid, ${alias}.owner_references)`;

/** SQL for the time of the pending cascade to a row. */
export function causeTimeOf(alias: string): string {
  return `(${causeOf(alias)}).time`;
}

/** SQL for the deletion timestamp as readers see it. */
export function deletedAt(alias: string): string {
  return `case when ${isCascading(alias)} then ${causeTimeOf(alias)} else ${alias}.deletion_timestamp end`;
}

/** SQL for the revision as readers see it. A write adds one to this one, which tells the trigger that it has seen the cascade. */
export function revisionOf(alias: string): string {
  return `${alias}.revision + case when ${isCascading(alias)} then 1 else 0 end`;
}

/** SQL for the context of the deletion that the tombstone comes from. */
export function deletionOf(alias: string): string {
  return `case when ${isCascading(alias)} then (${causeOf(alias)}).change else ${alias}.deletion end`;
}

/** SQL for whether the row is live for its readers. */
export function isLive(alias: string): string {
  return `(${alias}.deletion_timestamp is null and coalesce(not ${isCascading(alias)}, true))`;
}

/** SQL for the revision of a row that no cascade reaches any more in this transaction, see the function hold_cascades. */
export function heldRevisionOf(alias: string): string {
  return `${alias}.revision + case when ${alias}.deletion_timestamp is null and ${holdCascades(alias)} then 1 else 0 end`;
}

/** SQL that keeps cascades away from the row until the transaction ends. */
export function holdCascades(alias: string): string {
  return `hold_cascades(${alias}.parent_uid, ${alias}.owner_references)`;
}
