import { type BackOff, backOffDelay, defaultBackOff } from '../http/backoff.ts';
import type { Timers } from '../timers.ts';
import { defaultRateLimit, type RateLimit, TokenBucket } from './token-bucket.ts';

/** The number of keys in each state. */
export interface QueueDepth {
  readonly ready: number;
  readonly processing: number;
  /** Waiting for a retry, or for the time that was asked for. */
  readonly delayed: number;
}

/** The wait of a key that failed. */
export interface Retry {
  readonly delayMs: number;
  /** The longer of the two waits: for the failures of this key, or for the rate of all of them. */
  readonly limitedBy: 'failures' | 'rate';
}

/**
 * A queue of keys, like the workqueue of Kubernetes' client-go: a key is queued at most once, and is never processed twice at the
 * same time. A key that is added while it is processed is queued again when it is done.
 */
export class WorkQueue {
  readonly #timers: Timers;
  readonly #backOff: BackOff;
  readonly #bucket: TokenBucket;
  readonly #ready = new Set<string>();
  readonly #processing = new Set<string>();
  /** Keys that were added while they were being processed. */
  readonly #dirty = new Set<string>();
  readonly #delayed = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  readonly #getters: ((key: string | undefined) => void)[] = [];
  /** Consecutive failures of each key. */
  readonly #failures = new Map<string, number>();
  /** When each ready key was queued. */
  readonly #since = new Map<string, number>();
  readonly #onChange: (depth: QueueDepth) => void;
  #closed = false;

  constructor(
    timers: Timers,
    backOff: BackOff = defaultBackOff,
    onChange: (depth: QueueDepth) => void = () => undefined,
    rateLimit: RateLimit = defaultRateLimit,
  ) {
    this.#timers = timers;
    this.#backOff = backOff;
    this.#bucket = new TokenBucket(rateLimit, timers);
    this.#onChange = onChange;
  }

  /** The number of keys in each state. */
  get depth(): QueueDepth {
    return { ready: this.#ready.size, processing: this.#processing.size, delayed: this.#delayed.size };
  }

  /** Queues a key that failed, after a delay that grows with each failure in a row, and no earlier than the rate of all keys allows. */
  addRateLimited(key: string): Retry {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const own = backOffDelay(this.#backOff, failures, this.#timers.random());
    const shared = this.#bucket.take();
    const retry: Retry = { delayMs: Math.max(own, shared), limitedBy: shared > own ? 'rate' : 'failures' };
    this.addAfter(key, retry.delayMs);
    return retry;
  }

  /** The next failure of the key counts as its first. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** How often in a row the key has failed. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** How long the key that is processed had to wait, in milliseconds. */
  waited(key: string): number {
    return this.#timers.now() - (this.#since.get(key) ?? this.#timers.now());
  }

  /** Whether the key is queued, delayed or being processed. */
  has(key: string): boolean {
    return this.#ready.has(key) || this.#processing.has(key) || this.#delayed.has(key);
  }

  /** Queues a key now, and cancels a delay that it has. */
  add(key: string): void {
    if (this.#closed) return;
    this.#cancelDelay(key);
    if (this.#processing.has(key)) {
      this.#dirty.add(key);
      return;
    }
    if (!this.#ready.has(key)) this.#since.set(key, this.#timers.now());
    const getter = this.#getters.shift();
    if (getter === undefined) {
      this.#ready.add(key);
    } else {
      this.#processing.add(key);
      getter(key);
    }
    this.#onChange(this.depth);
  }

  /** Queues a key after `ms` milliseconds, unless it is due earlier. */
  addAfter(key: string, ms: number): void {
    if (this.#closed || this.#ready.has(key) || this.#dirty.has(key)) return;
    const at = this.#timers.now() + ms;
    const delayed = this.#delayed.get(key);
    if (delayed !== undefined && delayed.at <= at) return;
    delayed?.cancel();
    const cancel = this.#timers.after(ms, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { at, cancel });
    this.#onChange(this.depth);
  }

  /** Waits for a key to process; undefined when the queue is closed. */
  get(): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    const [key] = this.#ready;
    if (key === undefined) return new Promise((resolve) => this.#getters.push(resolve));
    this.#ready.delete(key);
    this.#processing.add(key);
    this.#onChange(this.depth);
    return Promise.resolve(key);
  }

  /** Marks a key as processed. Must be called once for each key that `get` returned. */
  done(key: string): void {
    this.#processing.delete(key);
    this.#since.delete(key);
    if (this.#dirty.delete(key)) this.add(key);
    else this.#onChange(this.depth);
  }

  /** Drops all queued keys, and ends every waiting `get`. */
  close(): void {
    this.#closed = true;
    for (const key of [...this.#delayed.keys()]) this.#cancelDelay(key);
    this.#ready.clear();
    for (const getter of this.#getters.splice(0)) getter(undefined);
  }

  #cancelDelay(key: string): void {
    this.#delayed.get(key)?.cancel();
    this.#delayed.delete(key);
  }
}
