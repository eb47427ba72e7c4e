import type { Clock } from '@platform/kernel';
import type { Fence, Lease } from '../ports/lease.ts';

/** What this process is to the others. */
export type Role =
  | { readonly role: 'leader'; readonly fence: Fence; readonly paused: boolean }
  | { readonly role: 'follower' };

/**
 * Holds the lease for this process: renews it at a third of its time, and stops believing in it when it would have ended, counted from
 * before the renewal was asked for, so that a slow answer never stretches it.
 */
export class Leadership {
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

  /** When the lease is to be renewed, or tried for again, in milliseconds since the Unix epoch. */
  get nextAttemptAt(): number {
    return this.#nextAttemptAt;
  }

  get role(): Role {
    if (this.#fence === null || this.#clock.now() >= this.#endsAt) return { role: 'follower' };
    return { role: 'leader', fence: this.#fence, paused: this.#paused };
  }

  /** Tries at the next occasion rather than when it was planned: the lease was released, or the switch was moved. */
  hurry(): void {
    this.#nextAttemptAt = Number.NEGATIVE_INFINITY;
  }

  /** Does not try before that moment. */
  postpone(until: number): void {
    this.#nextAttemptAt = until;
  }

  /** Renews or tries for the lease when it is time. @throws Problem `unavailable`; what is held stays held until it ends. */
  async keep(): Promise<Role> {
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
      // At the moment at which the lease ends if its holder is gone: then it is taken over without a pause.
      this.#nextAttemptAt = this.#clock.now() + Math.max(1, Math.min(attempt.freeInMs, lengthMs / 3));
    }
    return this.role;
  }

  /** The fence was found broken: the lease is somebody else's. */
  lose(): void {
    this.#fence = null;
    this.hurry();
  }

  /** Gives the lease back, so that another replica leads at once. */
  async release(): Promise<void> {
    const fence = this.#fence;
    this.#fence = null;
    if (fence !== null) await this.#lease.release(fence);
  }
}
