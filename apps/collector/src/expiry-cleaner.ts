import { type Clock, explainError, type Logger, StorageError } from '@platform/kernel';

/** Deletes expired rows of one kind, such as login flows, authorization codes, rate-limit counters. */
export interface CleanupTask {
  /** A stable word for logs and metrics. */
  readonly name: string;
  /** Milliseconds between two runs. */
  readonly intervalMs: number;
  /** Must delete at most `limit` expired rows in one transaction and return their number. Runs again at once while it returns `limit`. */
  run(limit: number): Promise<number>;
}

/** Reports that a cleanup task ran: the expired rows it deleted, or null when it failed. */
export type ReportCleanup = (task: string, rows: number | null) => void;

/** Rows of one transaction. */
const batchSize = 1_000;
/** Batches of one task before the other tasks and the garbage collector run. */
const batchesPerRun = 20;

/**
 * Runs the cleanup tasks that are due, while `mayRun` returns true. A task that fails is tried again after its interval and does not affect
 * the others.
 */
export class ExpiryCleaner {
  readonly #tasks: readonly CleanupTask[];
  readonly #mayRun: () => boolean;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #report: ReportCleanup;
  readonly #dueAt = new Map<CleanupTask, number>();

  constructor(
    tasks: readonly CleanupTask[],
    mayRun: () => boolean,
    { clock, logger, report }: { clock: Clock; logger: Logger; report: ReportCleanup },
  ) {
    this.#tasks = tasks;
    this.#mayRun = mayRun;
    this.#clock = clock;
    this.#logger = logger;
    this.#report = report;
  }

  /** Runs the tasks that are due. Returns in how many milliseconds the next one is; infinity while none may run. */
  async step(): Promise<number> {
    for (const task of this.#tasks) {
      if (this.#clock.now() < this.#dueAtOf(task)) continue;
      if (!this.#mayRun()) return Number.POSITIVE_INFINITY;
      this.#dueAt.set(task, this.#clock.now() + task.intervalMs);
      await this.#runTask(task);
    }
    return Math.max(0, Math.min(...this.#tasks.map((task) => this.#dueAtOf(task))) - this.#clock.now());
  }

  #dueAtOf(task: CleanupTask): number {
    return this.#dueAt.get(task) ?? Number.NEGATIVE_INFINITY;
  }

  async #runTask(task: CleanupTask): Promise<void> {
    let rows = 0;
    try {
      for (let run = 1; run <= batchesPerRun && this.#mayRun(); run += 1) {
        const deleted = await task.run(batchSize);
        rows += deleted;
        if (deleted < batchSize) break;
        if (run === batchesPerRun) this.#dueAt.set(task, this.#clock.now());
      }
      this.#report(task.name, rows);
      if (rows > 0) this.#logger.info('collector: expired rows deleted', { task: task.name, rows });
    } catch (error) {
      this.#report(task.name, null);
      const why = error instanceof StorageError ? { reason: explainError(error) } : { error };
      this.#logger.warn('collector: expired rows could not be deleted', { task: task.name, ...why });
    }
  }
}
