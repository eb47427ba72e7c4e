import { type Clock, type Logger, OutageLog } from '@platform/kernel';
import type { TickerLease, Ticks } from '../ports/ticks.ts';

/** The ports of the ticker. */
export interface TickerDeps {
  readonly lease: TickerLease;
  readonly ticks: Ticks;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Resolves after that many milliseconds, or when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Names this process in the lease. */
  readonly holder: string;
}

/** At most 40 ticks a second, however much is written. */
const busyMs = 25;
/** Between two looks while nobody writes. It is the most that the first change after a pause waits. */
const idleMs = 100;
/** How long the ticker keeps looking often after a change. */
const busyForMs = 2_000;
const leaseSeconds = 9;
const renewMs = 3_000;
/** How often a process that does not hold the lease asks for it, so that a successor is there soon after a crash. */
const retryMs = 1_000;
const errorLogMs = 60_000;
const phrases = {
  began: 'change log: no tick could be added; trying again',
  ended: 'change log: ticks are added again',
};

/**
 * Adds ticks to the change log while this process holds the lease, until the signal aborts. Correctness does not depend on the lease: it
 * only keeps a second process from doing the same work.
 */
export class Ticker {
  readonly #deps: TickerDeps;
  #busyUntil = Number.NEGATIVE_INFINITY;
  #renewAt = Number.NEGATIVE_INFINITY;
  #logErrorAt = Number.NEGATIVE_INFINITY;
  readonly #outage: OutageLog;

  constructor(deps: TickerDeps) {
    this.#deps = deps;
    this.#outage = new OutageLog(deps.logger, phrases, deps.clock);
  }

  /** Never rejects: what fails is logged and tried again. */
  async run(stopping: AbortSignal): Promise<void> {
    const { lease, holder, sleep } = this.#deps;
    while (!stopping.aborted) {
      const pauseMs = await this.#step().catch((error: unknown) => this.#failed(error));
      if (!stopping.aborted) await sleep(pauseMs, stopping);
    }
    await lease.release(holder).catch(() => undefined);
  }

  async #step(): Promise<number> {
    const { lease, ticks, clock, holder } = this.#deps;
    if (clock.now() >= this.#renewAt) {
      const askedAt = clock.now();
      const { held, freeInMs } = await lease.acquire(holder, leaseSeconds);
      if (!held) this.#outage.end();
      if (!held) return Math.max(1, Math.min(freeInMs, retryMs));
      await ticks.verify();
      this.#renewAt = askedAt + renewMs;
    }
    const lookedAt = clock.now();
    if ((await ticks.tick()) === 'ticked') this.#busyUntil = lookedAt + busyForMs;
    this.#outage.end();
    const pauseMs = lookedAt < this.#busyUntil ? busyMs : idleMs;
    return Math.max(0, pauseMs - (clock.now() - lookedAt));
  }

  #failed(error: unknown): number {
    const { clock, logger } = this.#deps;
    this.#renewAt = Number.NEGATIVE_INFINITY;
    if (!this.#outage.note(error) && clock.now() >= this.#logErrorAt) {
      this.#logErrorAt = clock.now() + errorLogMs;
      logger.error(phrases.began, { error });
    }
    return retryMs;
  }
}
