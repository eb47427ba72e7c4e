/**
 * Proof of a leadership. The token grows with every change of holder, so that whoever held the lease before can be told from
 * whoever holds it now, even when it is the same process again.
 */
export interface Fence {
  readonly holder: string;
  readonly token: number;
}

/** How an attempt at the lease ended. */
export type LeaseAttempt =
  | { readonly held: true; readonly fence: Fence; readonly paused: boolean }
  | {
      readonly held: false;
      /** Milliseconds until the lease of the other holder ends, unless it renews. */
      readonly freeInMs: number;
    };

/**
 * The one lease that sweeps are made under. Time is that of the database alone, so that clocks of replicas need not agree. Every method
 * is one statement that needs no session, so that it works through a pooler in transaction mode.
 *
 * Not guaranteed: that only one process believes it leads. A leader that is paused for longer than its lease (a debugger, a suspended
 * machine) wakes up believing it; its next batch finds the fence broken and writes nothing. Even a batch that passed the fence just
 * before may overlap with the next leader's. So safety rests on row locks and on steps that do nothing the second
 * time, never on the lease; the lease only keeps replicas from doing the same work twice.
 */
export interface Lease {
  /**
   * Must take the lease for `seconds` when it is free or has ended, and prolong it when `holder` has it. A lease that ended and was
   * taken by nobody else is prolonged under its old token.
   */
  acquire(holder: string, seconds: number): Promise<LeaseAttempt>;

  /** Must end the lease if it is still the fence's, and wake the replicas that wait for it. */
  release(fence: Fence): Promise<void>;
}

/** How the switch stands. */
export interface SwitchState {
  /** Since when (RFC 3339) the collector is paused, or null. */
  readonly pausedSince: string | null;
  /** Who leads, or null. */
  readonly leader: string | null;
}

/** Stops and starts the collector of all replicas, for operators. */
export interface CollectorSwitch {
  /** Must keep every batch from starting, from now on, whichever replica leads. Says since when it is paused. Idempotent. */
  pause(): Promise<{ readonly pausedSince: string }>;
  /** Must let batches start again and wake the leader. Idempotent. */
  resume(): Promise<void>;
  /** Must return how it stands. */
  state(): Promise<SwitchState>;
}
