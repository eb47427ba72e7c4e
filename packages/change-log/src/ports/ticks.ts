/** The end of an attempt to add a tick: whether the log has grown, or nothing was committed since the last one. */
export type TickOutcome = 'ticked' | 'idle';

/** The ticks of the log. */
export interface Ticks {
  /**
   * Must add a tick when entries were committed that no tick has yet, and tell the readers. Two processes may do this at once: one of them
   * then adds nothing. Must cost next to nothing while nobody writes.
   */
  tick(): Promise<TickOutcome>;

  /** Must compare the database with the one that the ticks belong to, and start the log again after a restore into another cluster. */
  verify(): Promise<void>;
}

/** The lease of the ticker: any process may hold it. */
export interface TickerLease {
  /** Acquires or renews the lease for `seconds`. When another process holds it, the milliseconds until it ends. */
  acquire(holder: string, seconds: number): Promise<{ readonly held: boolean; readonly freeInMs: number }>;
  /** Ends the lease if it is still this holder's. */
  release(holder: string): Promise<void>;
}
