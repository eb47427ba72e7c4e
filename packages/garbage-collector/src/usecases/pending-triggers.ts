import type { WakeUp } from '../ports/wake-ups.ts';

/** The work of a run. */
export interface RunTriggers {
  /** Tombstones that may have become collectable. */
  readonly changed: readonly string[];
  /** Moments at which rows were tombstoned, in milliseconds since the Unix epoch. */
  readonly tombstonedAt: readonly number[];
  /** Whether to scan for tombstones that no wake-up named: `due` unless the scan is resting, `all` in any case. */
  readonly poll: 'no' | 'due' | 'all';
}

/** Wake-ups that are kept one by one, at most; beyond that, scanning everything is cheaper. */
const limit = 10_000;

/** Gathers wake-ups until the next run, so that a burst costs one run. */
export class PendingTriggers {
  readonly #changed = new Set<string>();
  readonly #tombstonedAt = new Set<number>();
  #scanAll = false;

  add(wakeUp: WakeUp): void {
    if (wakeUp.reason === 'changed') this.#changed.add(wakeUp.uid);
    else if (wakeUp.reason === 'tombstoned') this.#tombstonedAt.add(wakeUp.at);
    else if (wakeUp.reason === 'missed') this.#scanAll = true;
    if (this.#changed.size + this.#tombstonedAt.size <= limit) return;
    this.clear();
    this.#scanAll = true;
  }

  get empty(): boolean {
    return this.#changed.size === 0 && this.#tombstonedAt.size === 0 && !this.#scanAll;
  }

  /** Returns and clears the pending triggers; includes a poll when `poll` says that it is due. */
  take(poll: boolean): RunTriggers {
    const triggers: RunTriggers = {
      changed: [...this.#changed],
      tombstonedAt: [...this.#tombstonedAt],
      poll: this.#scanAll ? 'all' : poll ? 'due' : 'no',
    };
    this.clear();
    return triggers;
  }

  clear(): void {
    this.#changed.clear();
    this.#tombstonedAt.clear();
    this.#scanAll = false;
  }
}
