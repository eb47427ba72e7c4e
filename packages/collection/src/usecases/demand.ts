import type { WakeUp } from '../ports/wake-ups.ts';
import type { SweepDemand } from './sweeper.ts';

/** Wake-ups kept one by one, at most; beyond that, looking everywhere is cheaper. */
const limit = 10_000;

/** Collects wake-ups until the next sweep takes them, so that a burst costs one sweep. */
export class Demand {
  readonly #look = new Set<string>();
  readonly #tombstonedAt = new Set<number>();
  #everything = false;

  add(wakeUp: WakeUp): void {
    if (wakeUp.reason === 'look') this.#look.add(wakeUp.uid);
    else if (wakeUp.reason === 'tombstoned') this.#tombstonedAt.add(wakeUp.at);
    else if (wakeUp.reason === 'missed') this.#everything = true;
    if (this.#look.size + this.#tombstonedAt.size <= limit) return;
    this.clear();
    this.#everything = true;
  }

  get empty(): boolean {
    return this.#look.size === 0 && this.#tombstonedAt.size === 0 && !this.#everything;
  }

  /** What has come together, and nothing is left here; `poll` when the time for one has come. */
  take(poll: boolean): SweepDemand {
    const demand: SweepDemand = {
      look: [...this.#look],
      tombstonedAt: [...this.#tombstonedAt],
      poll: this.#everything ? 'all' : poll ? 'due' : 'no',
    };
    this.clear();
    return demand;
  }

  clear(): void {
    this.#look.clear();
    this.#tombstonedAt.clear();
    this.#everything = false;
  }
}
