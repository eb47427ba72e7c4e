/** Bounds of an {@link Entrance}. */
export interface EntranceLimits {
  /** How many requests are answered at the same time. */
  readonly atOnce: number;
  /** A request that takes longer lets the next one in, so that it delays nobody for longer. */
  readonly holdMs: number;
}

/** As many pages as the store reads at the same time: six statements of four. A page takes a few milliseconds. */
const forPages: EntranceLimits = { atOnce: 24, holdMs: 100 };

/**
 * Where requests wait that will have large answers, before anything is made for them. V8 moves the promises of a request that waits in the
 * middle of its work to the old generation, and there they keep its answer until the next full collection
 * (docs/decisions/0023-optimisations.md).
 */
export class Entrance {
  readonly #limits: EntranceLimits;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(limits: EntranceLimits = forPages) {
    this.#limits = limits;
  }

  /** Answers a request when it is its turn, first in, first out. Settles as `answer` does. */
  pass(answer: () => Promise<void>): Promise<void> {
    if (this.#inside < this.#limits.atOnce) return this.#enter(answer);
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => this.#enter(answer).then(resolve, reject));
    });
  }

  #enter(answer: () => Promise<void>): Promise<void> {
    this.#inside += 1;
    let inside = true;
    const leave = () => {
      if (!inside) return;
      inside = false;
      clearTimeout(timer);
      this.#inside -= 1;
      this.#waiting.shift()?.();
    };
    const timer = setTimeout(leave, this.#limits.holdMs);
    return answer().finally(leave);
  }
}
