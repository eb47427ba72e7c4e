import type { Clock, Logger } from '@platform/kernel';
import type { CleanupTask } from '../ports/cleanup-task.ts';
import type { CollectorMetrics } from '../ports/metrics.ts';

/** Rows of one transaction. */
const batchSize = 1_000;
/** Batches of one task before the other tasks and the garbage collector have their turn. */
const batchesPerRun = 20;

/** Runs the cleanup tasks that are due. A task that fails is tried again after its interval and does not affect the others. */
export class ExpiryCleaner {
  readonly #tasks: readonly CleanupTask[];
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: CollectorMetrics;
  readonly #dueAt = new Map<CleanupTask, number>();

  constructor(
    tasks: readonly CleanupTask[],
    { clock, logger, metrics }: { clock: Clock; logger: Logger; metrics: CollectorMetrics },
  ) {
    this.#tasks = tasks;
    this.#clock = clock;
    this.#logger = logger;
    this.#metrics = metrics;
  }

  /** When the next task is due, in milliseconds of the clock; null when there are none. */
  get nextAt(): number | null {
    if (this.#tasks.length === 0) return null;
    return Math.min(...this.#tasks.map((task) => this.#dueAt.get(task) ?? Number.NEGATIVE_INFINITY));
  }

  /** Runs the tasks that are due while `mayContinue` returns true. */
  async run(mayContinue: () => boolean): Promise<void> {
    for (const task of this.#tasks) {
      if (this.#clock.now() < (this.#dueAt.get(task) ?? Number.NEGATIVE_INFINITY)) continue;
      if (!mayContinue()) return;
      this.#dueAt.set(task, this.#clock.now() + task.intervalMs);
      await this.#runTask(task, mayContinue);
    }
  }

  async #runTask(task: CleanupTask, mayContinue: () => boolean): Promise<void> {
    let rows = 0;
    try {
      for (let run = 1; run <= batchesPerRun && mayContinue(); run += 1) {
        const deleted = await task.run(batchSize);
        rows += deleted;
        if (deleted < batchSize) break;
        if (run === batchesPerRun) this.#dueAt.set(task, this.#clock.now());
      }
      this.#metrics.cleaned(task.name, rows);
      if (rows > 0) this.#logger.info('collector: expired rows deleted', { task: task.name, rows });
    } catch (error) {
      this.#metrics.cleaned(task.name, null);
      this.#logger.warn('collector: expired rows could not be deleted', { task: task.name, error });
    }
  }
}
