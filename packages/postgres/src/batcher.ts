import { StorageUnavailable } from '@platform/kernel';

/** Bounds of a {@link Batcher}. */
export interface BatchLimits {
  /** Items of a batch, at most. */
  readonly maxCount: number;
  /** Weight of a batch, at most; an item that weighs more goes alone. */
  readonly maxWeight: number;
  /** Batches that run at the same time. What comes meanwhile makes up the next one, so batches grow with the load. */
  readonly maxRunning: number;
  /** Items that wait for a batch, at most; what comes on top is turned away. */
  readonly maxWaiting: number;
  /** How long one waits, at most. */
  readonly maxWaitMs: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result | PromiseLike<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs concurrent items as batches. An item that is alone runs at the end of the tick in which it arrived; while batches run, the next
 * one waits one more tick for each of them, so that it grows with the load. First in, first out.
 */
export class Batcher<Item, Result> {
  readonly #limits: BatchLimits;
  readonly #run: (items: readonly Item[]) => Promise<readonly (Result | PromiseLike<Result>)[]>;
  readonly #weigh: (item: Item) => number;
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;
  #scheduled = false;
  #sweeper: NodeJS.Timeout | null = null;

  /**
   * `run` gives a result for each item, in order; a promise among them is waited for by its own item alone. When it
   * rejects, every item of the batch does.
   */
  constructor(
    limits: BatchLimits,
    run: (items: readonly Item[]) => Promise<readonly (Result | PromiseLike<Result>)[]>,
    weigh: (item: Item) => number = () => 0,
  ) {
    this.#limits = limits;
    this.#run = run;
    this.#weigh = weigh;
  }

  /** Settles as the item's part of its batch does. Rejects with StorageUnavailable when too many wait, or for too long. */
  add(item: Item): Promise<Result> {
    if (this.#waiting.length >= this.#limits.maxWaiting) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, since: performance.now(), resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return;
    if (this.#running >= this.#limits.maxRunning) {
      this.#sweeper ??= setInterval(() => this.#sweep(), Math.max(1, this.#limits.maxWaitMs / 8)).unref();
      return;
    }
    this.#scheduled = true;
    this.#startAfter(1 + this.#running);
  }

  // Without the further ticks batches stay small under load, and each costs a round trip (docs/decisions/0023-optimisations.md).
  #startAfter(ticks: number): void {
    setImmediate(() => {
      const mayGrow = this.#running > 0 && this.#waiting.length < this.#limits.maxCount;
      if (ticks > 1 && mayGrow) return this.#startAfter(ticks - 1);
      this.#scheduled = false;
      while (this.#waiting.length > 0 && this.#running < this.#limits.maxRunning) void this.#runNext();
    });
  }

  async #runNext(): Promise<void> {
    const batch = this.#take();
    this.#running += 1;
    try {
      const results = await this.#run(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result === undefined) reject(new Error('a batch lost an item'));
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#running -= 1;
      this.#schedule();
    }
  }

  #take(): readonly Waiting<Item, Result>[] {
    const { maxCount, maxWeight } = this.#limits;
    let weight = 0;
    const heavy = this.#waiting.slice(0, maxCount).findIndex(({ item }, index) => {
      weight += this.#weigh(item);
      return weight > maxWeight && index > 0;
    });
    const batch = this.#waiting.slice(0, heavy === -1 ? maxCount : heavy);
    this.#waiting = this.#waiting.slice(batch.length);
    return batch;
  }

  #sweep(): void {
    const oldest = performance.now() - this.#limits.maxWaitMs;
    const expired = this.#waiting.findIndex(({ since }) => since >= oldest);
    for (const { reject } of this.#waiting.splice(0, expired === -1 ? this.#waiting.length : expired)) {
      reject(overloaded());
    }
    if (this.#waiting.length > 0) return;
    clearInterval(this.#sweeper ?? undefined);
    this.#sweeper = null;
  }
}

function overloaded(): StorageUnavailable {
  return new StorageUnavailable('The database is too busy.');
}
