import type { StorageUnavailable } from '@platform/kernel';
import type { AdmissionQueue, Flow } from './admission-queue.ts';

/** Limits of a {@link Batcher}. Its items wait in the {@link AdmissionQueue}, which limits how many wait, and for how long. */
export interface BatchLimits {
  /** Batches that run at the same time. */
  readonly maxRunning: number;
  /** Items of a batch; with 1 each item runs alone, at once if a connection is free. */
  readonly maxCount: number;
  /** Bytes of a batch; an item that has more runs alone. */
  readonly maxBytes: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly bytes: number;
  readonly since: number;
  readonly resolve: (result: Result | PromiseLike<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs concurrent items as batches. An item that is alone runs at the end of the tick in which it arrived; while batches run, the next
 * one waits one more tick for each of them, so that it grows with the load. First in, first out.
 */
export class Batcher<Item, Result> implements Flow {
  readonly #queue: AdmissionQueue;
  readonly #limits: BatchLimits;
  readonly #run: (items: readonly Item[]) => Promise<readonly (Result | PromiseLike<Result>)[]>;
  readonly #bytesOf: (item: Item) => number;
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;
  #ticking = false;
  #ready = false;

  /**
   * `run` returns a result for each item, in order. It resolves when the connection is free again: a promise among the results delays
   * its own item only. When it rejects, every item of the batch does.
   */
  constructor(
    queue: AdmissionQueue,
    limits: BatchLimits,
    run: (items: readonly Item[]) => Promise<readonly (Result | PromiseLike<Result>)[]>,
    bytesOf: (item: Item) => number = () => 0,
  ) {
    this.#queue = queue;
    this.#limits = limits;
    this.#run = run;
    this.#bytesOf = bytesOf;
    queue.add(this);
  }

  get readySince(): number | null {
    if (!this.#ready || this.#running >= this.#limits.maxRunning) return null;
    return this.#waiting[0]?.since ?? null;
  }

  /** Settles as the item does. Rejects with StorageUnavailable when the queue is full, or the item waited for too long. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const bytes = this.#bytesOf(item);
      this.#queue.enter(bytes);
      this.#waiting.push({ item, bytes, since: performance.now(), resolve, reject });
      this.#schedule();
    });
  }

  start(done: () => void): void {
    const batch = this.#take();
    this.#running += 1;
    // Items that remain, or arrive while no further batch may run, wait for the next batch.
    if (this.#waiting.length === 0 || this.#running >= this.#limits.maxRunning) this.#ready = false;
    const settle = (settleItems: () => void) => {
      this.#running -= 1;
      this.#schedule();
      done();
      settleItems();
    };
    this.#run(batch.map(({ item }) => item)).then(
      (results) =>
        settle(() => {
          batch.forEach(({ resolve, reject }, index) => {
            if (index < results.length) resolve(results[index] as Result | PromiseLike<Result>);
            else reject(new Error('a batch lost an item'));
          });
        }),
      (error) =>
        settle(() => {
          for (const { reject } of batch) reject(error);
        }),
    );
  }

  refuse(before: number, error: StorageUnavailable): void {
    const waited = this.#waiting.findIndex(({ since }) => since > before);
    const refused = this.#remove(waited === -1 ? this.#waiting.length : waited);
    // The next item must announce itself again: no running batch may be left to start it.
    if (this.#waiting.length === 0) this.#ready = false;
    for (const { reject } of refused) reject(error);
  }

  #schedule(): void {
    const blocked = this.#running >= this.#limits.maxRunning;
    if (this.#waiting.length === 0 || this.#ticking || this.#ready || blocked) return;
    if (this.#limits.maxCount === 1) this.#becomeReady();
    else {
      this.#ticking = true;
      this.#readyAfter(1 + this.#running);
    }
  }

  // Without the further ticks, batches stay small under load, and each costs a round trip (docs/decisions/0023-optimisations.md).
  #readyAfter(ticks: number): void {
    setImmediate(() => {
      const mayGrow = this.#running > 0 && this.#waiting.length < this.#limits.maxCount;
      if (ticks > 1 && mayGrow) return this.#readyAfter(ticks - 1);
      this.#ticking = false;
      this.#becomeReady();
    });
  }

  #becomeReady(): void {
    this.#ready = this.#waiting.length > 0;
    this.#queue.dispatch();
  }

  #take(): readonly Waiting<Item, Result>[] {
    const { maxCount, maxBytes } = this.#limits;
    let bytes = 0;
    const heavy = this.#waiting.slice(0, maxCount).findIndex((each, index) => {
      bytes += each.bytes;
      return bytes > maxBytes && index > 0;
    });
    return this.#remove(heavy === -1 ? maxCount : heavy);
  }

  #remove(count: number): readonly Waiting<Item, Result>[] {
    const removed = this.#waiting.splice(0, count);
    this.#queue.leave(
      removed.length,
      removed.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    return removed;
  }
}
