/**
 * Why the collector is woken:
 * - `tombstoned`: rows got this `deletionTimestamp` (milliseconds since the Unix epoch), in one transaction.
 * - `look`: this row may have become collectable: a finalizer or something that blocked it is gone.
 * - `lease`: the lease was released, or the collector was paused or resumed.
 * - `missed`: wake-ups may have been lost (a connection broke, or too many at once); look everywhere.
 */
export type WakeUp =
  | { readonly reason: 'tombstoned'; readonly at: number }
  | { readonly reason: 'look'; readonly uid: string }
  | { readonly reason: 'lease' }
  | { readonly reason: 'missed' };

/** Tells the collector of commits that concern it. Best effort: the collector polls beside it. */
export interface WakeUps {
  /**
   * Must call `listener` after each commit that tombstoned rows, or took a finalizer or a blocker from a tombstoned row, the collector's own
   * commits excepted; and with `missed` whenever listening has begun or begun again.
   * Never rejects for an outage: listening goes on when the outage is over.
   */
  listen(listener: (wakeUp: WakeUp) => void): Promise<{ close(): Promise<void> }>;
}
