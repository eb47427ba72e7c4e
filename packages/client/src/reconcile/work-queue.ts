import type { Timers } from '../timers.ts';

/**
 * A queue of keys, like the workqueue of Kubernetes' client-go: a key is queued at most once, and is never processed twice at the
 * same time. A key that is added while it is processed is queued again when it is done.
 */
export class WorkQueue {
  readonly #timers: Timers;
  readonly #ready = new Set<string>();
  readonly #processing = new Set<string>();
  /** Keys that were added while they were being processed. */
  readonly #dirty = new Set<string>();
  readonly #delayed = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  readonly #getters: ((key: string | undefined) => void)[] = [];
  #closed = false;

  constructor(timers: Timers) {
    this.#timers = timers;
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
    const getter = this.#getters.shift();
    if (getter === undefined) {
      this.#ready.add(key);
    } else {
      this.#processing.add(key);
      getter(key);
    }
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
  }

  /** Waits for a key to process; undefined when the queue is closed. */
  get(): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    const [key] = this.#ready;
    if (key === undefined) return new Promise((resolve) => this.#getters.push(resolve));
    this.#ready.delete(key);
    this.#processing.add(key);
    return Promise.resolve(key);
  }

  /** Marks a key as processed. Must be called once for each key that `get` returned. */
  done(key: string): void {
    this.#processing.delete(key);
    if (this.#dirty.delete(key)) this.add(key);
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
