import { StorageUnavailable } from '@platform/kernel';

/** Bounds of a {@link Gate}. */
export interface GateLimits {
  /** Holders at the same time, at most. */
  readonly permits: number;
  /** Those that wait, at most: what comes on top is turned away at once rather than kept in memory. */
  readonly maxWaiting: number;
  /** How long one waits, at most. */
  readonly maxWaitMs: number;
}

interface Waiter {
  readonly admit: () => void;
  readonly refuse: (error: StorageUnavailable) => void;
  readonly since: number;
}

/**
 * Hands out the connections of the pool, first come, first served. The driver alone would send a statement down a busy
 * connection, where it waits behind one that waits for a lock; here a statement starts only on a free one.
 */
export class Gate {
  readonly #limits: GateLimits;
  #free: number;
  readonly #waiting: (Waiter | undefined)[] = [];
  #head = 0;
  #sweeper: NodeJS.Timeout | null = null;
  #closed: (() => void) | null = null;

  constructor(limits: GateLimits) {
    this.#limits = limits;
    this.#free = limits.permits;
  }

  /** Those that hold a permit, and those that wait for one. */
  get load(): { readonly active: number; readonly waiting: number } {
    return { active: this.#limits.permits - this.#free, waiting: this.#waiting.length - this.#head };
  }

  /** Takes a permit when one is free; else false. */
  tryEnter(): boolean {
    if (this.#free === 0 || this.#closed !== null) return false;
    this.#free -= 1;
    return true;
  }

  /** Resolves once a permit is held. Rejects with StorageUnavailable when the queue is full or the wait too long. */
  enter(): Promise<void> {
    if (this.tryEnter()) return Promise.resolve();
    if (this.#closed !== null) return Promise.reject(closing());
    if (this.load.waiting >= this.#limits.maxWaiting) return Promise.reject(overloaded());
    return new Promise((admit, refuse) => {
      this.#waiting.push({ admit, refuse, since: performance.now() });
      this.#watch();
    });
  }

  /** Gives the permit back, to the one that has waited longest if there is one. */
  leave(): void {
    const next = this.#shift();
    if (next === undefined) this.#free += 1;
    else next.admit();
    if (this.#free === this.#limits.permits) this.#closed?.();
  }

  /** Turns away those that wait at this moment. */
  refuseWaiting(error: StorageUnavailable): void {
    for (let next = this.#shift(); next !== undefined; next = this.#shift()) next.refuse(error);
  }

  /** Refuses new ones from now on. Resolves when those that are in, or wait already, have left. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#closed = resolve;
      if (this.#free === this.#limits.permits) resolve();
    });
  }

  #shift(): Waiter | undefined {
    const next = this.#waiting[this.#head];
    if (next === undefined) return undefined;
    // Or it would be kept, with what waited for it, until the queue is empty or cut.
    this.#waiting[this.#head] = undefined;
    this.#head += 1;
    if (this.#head === this.#waiting.length) {
      this.#waiting.length = 0;
      this.#head = 0;
      clearInterval(this.#sweeper ?? undefined);
      this.#sweeper = null;
    } else if (this.#head > 1024) {
      this.#waiting.splice(0, this.#head);
      this.#head = 0;
    }
    return next;
  }

  // Apart from the executor above, whose scope a timer made there would keep.
  #watch(): void {
    this.#sweeper ??= setInterval(() => this.#sweep(), Math.max(1, this.#limits.maxWaitMs / 8)).unref();
  }

  #sweep(): void {
    const oldest = performance.now() - this.#limits.maxWaitMs;
    while ((this.#waiting[this.#head]?.since ?? Number.POSITIVE_INFINITY) < oldest) {
      this.#shift()?.refuse(overloaded());
    }
  }
}

function closing(): StorageUnavailable {
  return new StorageUnavailable('The service is shutting down.');
}

function overloaded(): StorageUnavailable {
  return new StorageUnavailable('The database is too busy.');
}
