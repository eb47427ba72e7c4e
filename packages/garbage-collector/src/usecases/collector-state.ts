import type { Clock, RandomBytes } from '@platform/kernel';
import { BlockedOwnersCache } from './blocked-owners-cache.ts';
import { RetryQueue, type RetryReason } from './retry-queue.ts';
import { WorkQueue } from './work-queue.ts';

/** The rows that the leader knows about. The state outlives a run, but not the leadership. */
export class CollectorState {
  readonly queue = new WorkQueue();
  readonly blocked = new BlockedOwnersCache();
  readonly retries: RetryQueue;

  constructor(deps: { readonly clock: Clock; readonly random: RandomBytes }) {
    this.retries = new RetryQueue(deps);
  }

  /** Whether nothing is known to hold the row once its blocker is among the removed rows. */
  isFree(uid: string, isRemoved: (blocker: string) => boolean): boolean {
    const known = this.blocked.get(uid);
    if (known === undefined) return !this.retries.has(uid);
    return known.blocker !== null && isRemoved(known.blocker.uid);
  }

  /** The row is gone, or live. */
  forget(uid: string): void {
    this.blocked.delete(uid);
    this.retries.delete(uid);
    this.queue.forget(uid);
  }

  /** Moves the row to the retry queue. Returns how often it has failed for this reason. */
  retry(uid: string, reason: RetryReason): number {
    this.blocked.delete(uid);
    this.queue.forget(uid);
    return this.retries.addRateLimited(uid, reason);
  }

  clear(): void {
    for (const rows of [this.queue, this.blocked, this.retries]) rows.clear();
  }
}
