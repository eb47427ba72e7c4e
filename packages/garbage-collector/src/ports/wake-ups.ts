/**
 * Why the collector is woken:
 * - `tombstoned`: a transaction gave rows this `deletionTimestamp` (milliseconds since the Unix epoch);
 * - `changed`: this tombstone may have become collectable, because a finalizer, a blocker or the protection of a dependent is gone;
 * - `lease`: the lease was released, or the collector was paused or resumed;
 * - `missed`: wake-ups may have been lost (a broken connection, or too many at once), so everything is scanned.
 */
export type WakeUp =
  | { readonly reason: 'tombstoned'; readonly at: number }
  | { readonly reason: 'changed'; readonly uid: string }
  | { readonly reason: 'lease' }
  | { readonly reason: 'missed' };

/** Tells the collector about commits that concern it. Best effort: the collector also polls. */
export interface WakeUps {
  /**
   * Must call `listener` after each commit for one of these reasons, except for the collector's own commits, and with `missed` whenever
   * listening starts or starts again. Never rejects because of an outage: listening resumes after it.
   */
  listen(listener: (wakeUp: WakeUp) => void): Promise<{ close(): Promise<void> }>;
}
