import type { Timers } from '../timers.ts';

/**
 * Keys that wait to be worked on. A key waits once however often it is added, and is never worked on twice at the same time:
 * what is added meanwhile comes again when it is done.
 */
export class WorkQueue {
  readonly #timers: Timers;
  readonly #ready = new Set<string>();
  readonly #active = new Set<string>();
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #closed = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Whether the key is waiting, now or later, or being worked on. */
  has(key: string): boolean {
    return this.#ready.has(key) || this.#active.has(key) || this.#delayed.has(key);
  }

  /** Adds a key to be worked on now, even when it was to come later. */
  add(key: string): void {
    if (this.#closed) return;
    this.#cancelDelayed(key);
    if (this.#active.has(key)) {
      this.#again.add(key);
      return;
    }
    const taker = this.#takers.shift();
    if (taker === undefined) {
      this.#ready.add(key);
    } else {
      this.#active.add(key);
      taker(key);
    }
  }

  /** Adds a key to be worked on in `ms` milliseconds, unless it comes sooner anyway. */
  addLater(key: string, ms: number): void {
    if (this.#closed || this.#ready.has(key) || this.#again.has(key)) return;
    const at = this.#timers.now() + ms;
    const waiting = this.#delayed.get(key);
    if (waiting !== undefined && waiting.at <= at) return;
    waiting?.cancel();
    const cancel = this.#timers.after(ms, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { at, cancel });
  }

  /** Waits for a key; undefined when the queue is closed. */
  take(): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    const [key] = this.#ready;
    if (key === undefined) return new Promise((resolve) => this.#takers.push(resolve));
    this.#ready.delete(key);
    this.#active.add(key);
    return Promise.resolve(key);
  }

  /** Says that a taken key is worked on no longer. */
  done(key: string): void {
    this.#active.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Forgets what waits, and lets everyone go who waits for it. */
  close(): void {
    this.#closed = true;
    for (const key of [...this.#delayed.keys()]) this.#cancelDelayed(key);
    this.#ready.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #cancelDelayed(key: string): void {
    this.#delayed.get(key)?.cancel();
    this.#delayed.delete(key);
  }
}
