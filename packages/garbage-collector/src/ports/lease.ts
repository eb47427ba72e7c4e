/** Proof of leadership. The token grows with every change of holder, so it tells terms of the same holder apart. */
export interface Fence {
  readonly holder: string;
  readonly token: number;
}

/** The result of an attempt to acquire or renew the lease. */
export type LeaseAttempt =
  | { readonly held: true; readonly fence: Fence; readonly paused: boolean }
  | {
      readonly held: false;
      /** Milliseconds until the other holder's lease expires, unless it is renewed. */
      readonly freeInMs: number;
    };

/**
 * The lease of the garbage collector. It uses the database's clock only, so that the clocks of replicas need not agree. Every method
 * is one statement without session state, so that it works through a transaction pooler.
 *
 * Not guaranteed: that only one process believes it leads. A leader that was suspended for longer than its lease wakes up and still
 * believes it; its next batch finds the fence broken and writes nothing. A batch that passed the fence just before may overlap with
 * the next leader's. Safety rests on row locks and idempotent steps; the lease only avoids duplicate work.
 */
export interface Lease {
  /**
   * Must acquire the lease for `seconds` when it is free or expired, and renew it when `holder` has it, also after it expired if nobody else
   * has acquired it since; then the token stays.
   */
  acquire(holder: string, seconds: number): Promise<LeaseAttempt>;

  /** Must end the lease if the fence still holds, and wake the replicas that wait for it. */
  release(fence: Fence): Promise<void>;
}

/** Whether the collector is paused, and who leads. */
export interface PauseState {
  /** Since when (RFC 3339) the collector is paused, or null. */
  readonly pausedSince: string | null;
  /** The holder of the lease, or null. */
  readonly leader: string | null;
}

/** Pauses and resumes the collectors of all replicas, for operators. */
export interface CollectorPause {
  /** Must keep every batch from starting from now on, on every replica. Returns since when it is paused. Idempotent. */
  pause(): Promise<{ readonly pausedSince: string }>;
  /** Must let batches start again and wake the leader. Idempotent. */
  resume(): Promise<void>;
  state(): Promise<PauseState>;
}

/** The operations of {@link CollectorPause}, as operators name them. */
export const pauseCommands = ['pause', 'resume', 'state'] as const;
export type PauseCommand = (typeof pauseCommands)[number];

/** Runs the operation and returns the state after it, in one line. */
export async function runPauseCommand(collector: CollectorPause, command: PauseCommand): Promise<string> {
  if (command === 'pause') await collector.pause();
  if (command === 'resume') await collector.resume();
  const { pausedSince, leader } = await collector.state();
  const state = pausedSince === null ? 'running' : `paused since ${pausedSince}`;
  return `${state}, leader: ${leader ?? 'none'}`;
}
