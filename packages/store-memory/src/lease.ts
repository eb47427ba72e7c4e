import type { CollectorPause, Fence, Lease, LeaseAttempt } from '@platform/garbage-collector';
import type { Clock } from '@platform/kernel';

/** The collector's lease and its pause, on the clock of the store. */
export class MemoryLease implements Lease, CollectorPause {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #holder: string | null = null;
  #token = 0;
  #expiresAt = Number.NEGATIVE_INFINITY;
  #pausedSince: string | null = null;

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  async acquire(holder: string, seconds: number): Promise<LeaseAttempt> {
    const now = this.#clock.now();
    if (this.#holder !== null && this.#holder !== holder && this.#expiresAt > now) {
      return { held: false, freeInMs: this.#expiresAt - now };
    }
    if (this.#holder !== holder) this.#token += 1;
    this.#holder = holder;
    this.#expiresAt = now + seconds * 1_000;
    return { held: true, fence: { holder, token: this.#token }, paused: this.#pausedSince !== null };
  }

  async release(fence: Fence): Promise<void> {
    if (this.#holder !== fence.holder || this.#token !== fence.token) return;
    this.#holder = null;
    this.#expiresAt = Number.NEGATIVE_INFINITY;
    this.#wake();
  }

  async pause(): Promise<{ pausedSince: string }> {
    this.#pausedSince ??= new Date(this.#clock.now()).toISOString();
    this.#wake();
    return { pausedSince: this.#pausedSince };
  }

  async resume(): Promise<void> {
    if (this.#pausedSince === null) return;
    this.#pausedSince = null;
    this.#wake();
  }

  async state(): Promise<{ pausedSince: string | null; leader: string | null }> {
    const leads = this.#expiresAt > this.#clock.now();
    return { pausedSince: this.#pausedSince, leader: leads ? this.#holder : null };
  }

  /** The reason why a fence does not hold, or null. */
  check({ holder, token }: Fence): 'deposed' | 'paused' | null {
    const holds = this.#holder === holder && this.#token === token && this.#expiresAt > this.#clock.now();
    if (!holds) return 'deposed';
    return this.#pausedSince === null ? null : 'paused';
  }

  /** Ends the lease and the pause. Tokens keep growing. */
  reset(): void {
    this.#holder = null;
    this.#expiresAt = Number.NEGATIVE_INFINITY;
    this.#pausedSince = null;
  }
}
