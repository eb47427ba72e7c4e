import { Problem } from '@platform/kernel';

interface Entry {
  readonly expiresAt: number;
  readonly expire: () => void;
}

/**
 * Gives up on promises that are not settled in time: a database host that vanished without a word would hold its callers until TCP
 * gives up, minutes later. One timer for all, since all have the same limit and so expire in the order in which they came.
 */
export class Deadlines {
  readonly #limitMs: number;
  readonly #entries = new Set<Entry>();
  #timer: NodeJS.Timeout | null = null;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Settles as `promise` does, or rejects with `unavailable` once the limit has passed. */
  guard<T>(promise: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const entry: Entry = {
        expiresAt: performance.now() + this.#limitMs,
        expire: () =>
          reject(
            new Problem('unavailable', 'The database does not answer.', {
              retryAfterSeconds: 1,
            }),
          ),
      };
      this.#entries.add(entry);
      this.#timer ??= setInterval(() => this.#sweep(), Math.max(1, this.#limitMs / 8)).unref();
      promise.then(
        (value) => {
          this.#entries.delete(entry);
          resolve(value);
        },
        (error) => {
          this.#entries.delete(entry);
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

  #sweep(): void {
    const now = performance.now();
    for (const entry of this.#entries) {
      if (entry.expiresAt > now) return;
      this.#entries.delete(entry);
      entry.expire();
    }
    if (this.#entries.size === 0) this.close();
  }
}
