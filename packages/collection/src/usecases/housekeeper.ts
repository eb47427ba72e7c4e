import type { Clock, Logger } from '@platform/kernel';
import type { HousekeepingTask } from '../ports/housekeeping.ts';
import type { CollectorMetrics } from '../ports/sweep-metrics.ts';

/** Rows of one run of a task. */
const batchSize = 1_000;
/** Runs of one task before the others, and the sweep, have their turn. */
const longestRun = 20;

/** Runs the other tasks that are due, each on its own: one that fails waits for its next turn, and nobody else does. */
export class Housekeeper {
  readonly #tasks: readonly HousekeepingTask[];
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: CollectorMetrics;
  readonly #dueAt = new Map<HousekeepingTask, number>();

  constructor(
    tasks: readonly HousekeepingTask[],
    { clock, logger, metrics }: { clock: Clock; logger: Logger; metrics: CollectorMetrics },
  ) {
    this.#tasks = tasks;
    this.#clock = clock;
    this.#logger = logger;
    this.#metrics = metrics;
  }

  /** When the next task is due, in milliseconds since the Unix epoch; null when there are none. */
  get nextAt(): number | null {
    if (this.#tasks.length === 0) return null;
    return Math.min(...this.#tasks.map((task) => this.#dueAt.get(task) ?? Number.NEGATIVE_INFINITY));
  }

  /** Runs what is due, as long as `mayGoOn` says so. */
  async run(mayGoOn: () => boolean): Promise<void> {
    for (const task of this.#tasks) {
      if (this.#clock.now() < (this.#dueAt.get(task) ?? Number.NEGATIVE_INFINITY)) continue;
      if (!mayGoOn()) return;
      this.#dueAt.set(task, this.#clock.now() + task.intervalMs);
      await this.#runTask(task, mayGoOn);
    }
  }

  async #runTask(task: HousekeepingTask, mayGoOn: () => boolean): Promise<void> {
    let rows = 0;
    try {
      for (let run = 1; run <= longestRun && mayGoOn(); run += 1) {
        const tidied = await task.run(batchSize);
        rows += tidied;
        if (tidied < batchSize) break;
        if (run === longestRun) this.#dueAt.set(task, this.#clock.now());
      }
      this.#metrics.tidied(task.name, rows);
      if (rows > 0) this.#logger.info('collector: housekeeping done', { task: task.name, rows });
    } catch (error) {
      this.#metrics.tidied(task.name, null);
      this.#logger.warn('collector: housekeeping failed', { task: task.name, error });
    }
  }
}
