interface Entry {
  readonly slot: number;
  readonly since: number;
  readonly expiresAt: number;
  readonly expire: (error: Error) => void;
}

/** Called while a promise is pending for longer than `afterMs`. */
export interface SlowObserver {
  readonly afterMs: number;
  readonly onSlow: () => void;
}

/** Often enough for deadlines of seconds. */
const longestCheckMs = 250;

/**
 * Rejects promises that are not settled in time: otherwise callers of a host that vanished would wait until TCP gives up, minutes later.
 * One timer checks all pending promises, which are kept in slots. A `Set` would keep results alive: V8 links the tables that it outgrows, until
 * the next full collection (docs/decisions/0023-optimisations.md).
 */
export class Deadlines {
  readonly #limitMs: number;
  readonly #checkMs: number;
  readonly #slow: SlowObserver | null;
  readonly #entries: (Entry | null)[] = [];
  readonly #free: number[] = [];
  #timer: NodeJS.Timeout | null = null;
  #checkedAt = 0;

  constructor(limitMs: number, slow: SlowObserver | null = null) {
    this.#limitMs = limitMs;
    this.#slow = slow;
    this.#checkMs = Math.max(1, Math.min(longestCheckMs, limitMs / 8, (slow?.afterMs ?? limitMs) / 2));
  }

  /** Settles as `promise` does, or rejects with {@link deadlinePassed} once the limit has passed. */
  guard<T>(promise: PromiseLike<T>, limitMs: number = this.#limitMs): Promise<T> {
    return new Promise((resolve, reject) => {
      const entry = this.#watch(limitMs, reject);
      promise.then(
        (value) => {
          this.#release(entry);
          resolve(value);
        },
        (error) => {
          this.#release(entry);
          reject(error);
        },
      );
    });
  }

  /** Stops the timer. */
  close(): void {
    clearInterval(this.#timer ?? undefined);
    this.#timer = null;
  }

  /** Rejects all pending promises. */
  expireAll(): void {
    for (const entry of this.#entries) this.#expire(entry);
  }

  #watch(limitMs: number, expire: (error: Error) => void): Entry {
    const slot = this.#free.pop() ?? this.#entries.length;
    const since = performance.now();
    const entry = { slot, since, expiresAt: since + limitMs, expire };
    this.#entries[slot] = entry;
    if (this.#timer === null) {
      this.#checkedAt = since;
      this.#timer = setInterval(() => this.#check(), this.#checkMs).unref();
    }
    return entry;
  }

  /** Frees the slot of an entry, once. */
  #release(entry: Entry): void {
    if (this.#entries[entry.slot] !== entry) return;
    this.#entries[entry.slot] = null;
    this.#free.push(entry.slot);
  }

  #expire(entry: Entry | null): void {
    if (entry === null) return;
    this.#release(entry);
    entry.expire(deadlinePassed());
  }

  #check(): void {
    const now = performance.now();
    // This process was paused: answers may have arrived meanwhile, and are read before the next check.
    const stalled = now - this.#checkedAt > 4 * this.#checkMs + 100;
    this.#checkedAt = now;
    if (stalled) return;
    let slow = false;
    for (const entry of this.#entries) {
      if (entry === null) continue;
      if (entry.expiresAt <= now) this.#expire(entry);
      if (this.#slow !== null && entry.since + this.#slow.afterMs <= now) slow = true;
    }
    if (slow) this.#slow?.onSlow();
    if (this.#free.length === this.#entries.length) this.close();
  }
}

/** The code of {@link deadlinePassed}. */
export const deadlineCode = 'DEADLINE';

/** The error of a promise whose deadline has passed. */
function deadlinePassed(): Error {
  return Object.assign(new Error('the database does not answer'), { code: deadlineCode });
}
