import type { Clock } from '@platform/kernel';
import type { Fence, Lease } from '../ports/lease.ts';

/** The lease as its holder knows it. */
export interface Leadership {
  readonly fence: Fence;
  readonly paused: boolean;
}

interface ElectorDeps {
  readonly lease: Lease;
  readonly clock: Clock;
  readonly holder: string;
  readonly leaseSeconds: number;
}

/**
 * Acquires and renews the lease for this process. It renews after a third of the lease, and stops leading when the lease would expire,
 * counted from before the renewal was requested, so that a slow answer never extends it.
 */
export class LeaderElector {
  readonly #deps: ElectorDeps;
  #leadership: Leadership | null = null;
  #endsAt = 0;
  #nextAttemptAt = Number.NEGATIVE_INFINITY;

  constructor(deps: ElectorDeps) {
    this.#deps = deps;
  }

  /** When to renew or try again, in milliseconds of the clock. */
  get nextAttemptAt(): number {
    return this.#nextAttemptAt;
  }

  /** Null while this process does not lead. */
  get leadership(): Leadership | null {
    return this.#deps.clock.now() < this.#endsAt ? this.#leadership : null;
  }

  /** Makes the next call try at once: the lease was released, or the collector was paused or resumed. */
  renewNow(): void {
    this.#nextAttemptAt = Number.NEGATIVE_INFINITY;
  }

  /** Delays the next attempt until that moment. */
  retryAt(until: number): void {
    this.#nextAttemptAt = until;
  }

  /** Acquires or renews the lease when it is time. @throws StorageUnavailable; a held lease stays held until it expires. */
  async tryAcquireOrRenew(): Promise<Leadership | null> {
    const { lease, clock, holder, leaseSeconds } = this.#deps;
    const askedAt = clock.now();
    if (askedAt < this.#nextAttemptAt) return this.leadership;
    const lengthMs = leaseSeconds * 1_000;
    const attempt = await lease.acquire(holder, leaseSeconds);
    if (attempt.held) {
      this.#leadership = attempt;
      this.#endsAt = askedAt + lengthMs;
      this.#nextAttemptAt = askedAt + lengthMs / 3;
    } else {
      this.#leadership = null;
      // When the lease expires if its holder is gone, so that it is taken over without a pause.
      this.#nextAttemptAt = clock.now() + Math.max(1, Math.min(attempt.freeInMs, lengthMs / 3));
    }
    return this.leadership;
  }

  /** The fence is broken: another process holds the lease. */
  stepDown(): void {
    this.#leadership = null;
    this.renewNow();
  }

  /** Releases the lease, so that another replica leads at once. */
  async release(): Promise<void> {
    const leadership = this.#leadership;
    this.#leadership = null;
    if (leadership !== null) await this.#deps.lease.release(leadership.fence);
  }
}
