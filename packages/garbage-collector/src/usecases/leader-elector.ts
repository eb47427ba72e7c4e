import type { Clock } from '@platform/kernel';
import type { Fence, Lease } from '../ports/lease.ts';

/** Whether this process leads. */
export type Role =
  | { readonly role: 'leader'; readonly fence: Fence; readonly paused: boolean }
  | { readonly role: 'follower' };

/**
 * Acquires and renews the lease for this process. It renews after a third of the lease, and stops leading when the lease would expire,
 * counted from before the renewal was requested, so that a slow answer never extends it.
 */
export class LeaderElector {
  readonly #lease: Lease;
  readonly #clock: Clock;
  readonly #holder: string;
  readonly #seconds: number;
  #fence: Fence | null = null;
  #paused = false;
  #endsAt = 0;
  #nextAttemptAt = Number.NEGATIVE_INFINITY;

  constructor(lease: Lease, clock: Clock, holder: string, seconds: number) {
    this.#lease = lease;
    this.#clock = clock;
    this.#holder = holder;
    this.#seconds = seconds;
  }

  /** When to renew or try again, in milliseconds of the clock. */
  get nextAttemptAt(): number {
    return this.#nextAttemptAt;
  }

  get role(): Role {
    if (this.#fence === null || this.#clock.now() >= this.#endsAt) return { role: 'follower' };
    return { role: 'leader', fence: this.#fence, paused: this.#paused };
  }

  /** Makes the next call try at once: the lease was released, or the collector was paused or resumed. */
  renewNow(): void {
    this.#nextAttemptAt = Number.NEGATIVE_INFINITY;
  }

  /** Delays the next attempt until that moment. */
  retryAt(until: number): void {
    this.#nextAttemptAt = until;
  }

  /** Acquires or renews the lease when it is time. @throws Problem `unavailable`; a held lease stays held until it expires. */
  async tryAcquireOrRenew(): Promise<Role> {
    const askedAt = this.#clock.now();
    if (askedAt < this.#nextAttemptAt) return this.role;
    const lengthMs = this.#seconds * 1_000;
    const attempt = await this.#lease.acquire(this.#holder, this.#seconds);
    if (attempt.held) {
      this.#fence = attempt.fence;
      this.#paused = attempt.paused;
      this.#endsAt = askedAt + lengthMs;
      this.#nextAttemptAt = askedAt + lengthMs / 3;
    } else {
      this.#fence = null;
      // When the lease expires if its holder is gone, so that it is taken over without a pause.
      this.#nextAttemptAt = this.#clock.now() + Math.max(1, Math.min(attempt.freeInMs, lengthMs / 3));
    }
    return this.role;
  }

  /** The fence is broken: another process holds the lease. */
  stepDown(): void {
    this.#fence = null;
    this.renewNow();
  }

  /** Releases the lease, so that another replica leads at once. */
  async release(): Promise<void> {
    const fence = this.#fence;
    this.#fence = null;
    if (fence !== null) await this.#lease.release(fence);
  }
}
