/** Time and chance, as the `Timers` of the client, that stand still until the test moves them. Chance is always one half. */
export class FakeTimers {
  #now = Date.UTC(2026, 0, 1);
  #tasks: { at: number; run: () => void }[] = [];

  now = () => this.#now;
  random = () => 0.5;

  after = (ms: number, run: () => void) => {
    const task = { at: this.#now + ms, run };
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  };

  /** How many tasks wait. */
  get waiting(): number {
    return this.#tasks.length;
  }

  /** Moves on by `ms`, running what becomes due, in order, and what follows from it. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settled();
      const [next] = this.#tasks.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#tasks = this.#tasks.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = until;
  }
}

/** Lets everything run that waits for nothing but promises. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
}
