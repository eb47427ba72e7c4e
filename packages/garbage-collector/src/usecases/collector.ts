import { explainError, OutageLog, StorageError } from '@platform/kernel';
import type { RunReport } from '../model/run-report.ts';
import type { Fence, Lease } from '../ports/lease.ts';
import type { CollectorMetrics } from '../ports/metrics.ts';
import type { WakeUp } from '../ports/wake-ups.ts';
import { backOffMs, longestBackOffMs } from '../rules/back-off.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { LeaderElector } from './leader-elector.ts';
import { RunInterrupted, type RunPorts } from './run.ts';

/** The ports of a collector. */
export interface CollectorPorts extends RunPorts {
  readonly lease: Lease;
  readonly metrics: CollectorMetrics;
}

/** `collector.*` of the configuration, and the name of this process as a holder of the lease. */
export interface CollectorSettings {
  /** Must be unique to this process. */
  readonly holder: string;
  readonly pollIntervalMs: number;
  readonly batchSize: number;
  readonly leaseSeconds: number;
}

/** Without the lease a follower does not run, so these are not about runs. */
const phrases = {
  began: 'collector: the database is unavailable, trying again',
  ended: 'collector: the database is available again',
};

/** Milliseconds between two counts of the backlog, at least. */
const backlogIntervalMs = 10_000;

/**
 * One replica of the collector: leader election, and runs of the garbage collector. The caller calls `step` again after the time that it
 * returned, or when a wake-up comes. A step never rejects: failures are logged, counted and retried with back-off.
 */
export class Collector {
  readonly #ports: CollectorPorts;
  readonly #settings: CollectorSettings;
  readonly #elector: LeaderElector;
  readonly #garbageCollector: GarbageCollector;
  readonly #outage: OutageLog;
  /** The token of the fence under which the state was collected; null while this replica does not lead. */
  #term: number | null = null;
  #isPaused = false;
  #stopping = false;
  #failures = 0;
  #retryAt = Number.NEGATIVE_INFINITY;
  #pollAt = Number.NEGATIVE_INFINITY;
  #backlogAt = Number.NEGATIVE_INFINITY;

  constructor(ports: CollectorPorts, settings: CollectorSettings) {
    this.#ports = ports;
    this.#settings = settings;
    this.#elector = new LeaderElector({ ...ports, ...settings });
    this.#garbageCollector = new GarbageCollector(ports, settings.batchSize);
    this.#outage = new OutageLog(ports.logger, phrases, ports.clock);
  }

  /** Proves in the database that this replica leads; null when it does not. */
  get fence(): Fence | null {
    return this.#elector.leadership?.fence ?? null;
  }

  /** Whether this replica leads now. */
  get leads(): boolean {
    return this.fence !== null;
  }

  /** Whether this replica leads, and is neither paused nor stopping. It is active also while runs fail. */
  get active(): boolean {
    return this.#elector.leadership?.paused === false && !this.#stopping;
  }

  /** Records a wake-up; the caller should step at once. */
  wake(wakeUp: WakeUp): void {
    this.#garbageCollector.wake(wakeUp);
    // The missed wake-up may have been about the lease.
    if (wakeUp.reason === 'lease' || wakeUp.reason === 'missed') this.#elector.renewNow();
    if (wakeUp.reason === 'missed') {
      // Listening works again, so the outage is over. The pool may notice that a moment later: if the next step fails too, the back-off
      // starts again with a short delay.
      this.#retryAt = Number.NEGATIVE_INFINITY;
      this.#failures = Math.min(this.#failures, 1);
    }
  }

  /** Does what is due. Returns in how many milliseconds the next step is due. */
  async step(): Promise<number> {
    const { clock } = this.#ports;
    // Read before the lease is: the lease of a follower is due at the same moment, and without an attempt nothing has recovered.
    const isDue = clock.now() >= this.#retryAt;
    try {
      const leadership = await this.#elector.tryAcquireOrRenew();
      this.#noteRole();
      if (isDue) {
        if (leadership?.paused === false) await this.#work(leadership.fence);
        else this.#recover();
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#noteRole();
    return Math.max(0, this.#nextStepAt() - clock.now());
  }

  /** Stops the current run after its batch. */
  stop(): void {
    this.#stopping = true;
  }

  /** Releases the lease. Called when no step is running any more. */
  async close(): Promise<void> {
    try {
      await this.#elector.release();
    } catch (error) {
      const why = error instanceof StorageError ? { reason: explainError(error) } : { error };
      this.#ports.logger.warn('collector: the lease could not be released; it will expire', why);
    }
    this.#noteRole();
  }

  async #work(fence: Fence): Promise<void> {
    const { clock, metrics, store } = this.#ports;
    const collector = this.#garbageCollector;
    const polls = clock.now() >= this.#pollAt;
    if (polls) {
      this.#pollAt = clock.now() + this.#settings.pollIntervalMs;
      collector.poll();
    }
    if (polls || collector.nextRunAt <= clock.now()) {
      const report = await collector.run(fence, () => this.#checkpoint());
      this.#finish(report);
      if (report.outcome === 'done' && clock.now() >= this.#backlogAt) {
        this.#backlogAt = clock.now() + backlogIntervalMs;
        metrics.backlog(await store.backlog(collector.oldestTombstone));
      }
    }
    this.#failures = 0;
    this.#outage.end();
  }

  /** Between two batches: renews the lease, and ends the run when this process no longer leads or must stop. */
  async #checkpoint(): Promise<void> {
    if (this.#stopping) throw new RunInterrupted('stopped');
    const leadership = await this.#elector.tryAcquireOrRenew();
    if (leadership === null) throw new RunInterrupted('deposed');
    if (leadership.paused) throw new RunInterrupted('paused');
  }

  #finish(report: RunReport): void {
    const { removed, tombstoned, refused, outcome } = report;
    if (outcome === 'deposed') this.#elector.stepDown();
    if (outcome === 'paused') this.#elector.renewNow();
    this.#ports.metrics.ran(report);
    if (removed + tombstoned + refused > 0 || outcome !== 'done')
      this.#ports.logger.info('collector: run ended', { ...report });
  }

  /** Reports a change of role, and of the pause, which only a leader knows. A new leader does not know what others did, so it starts without state. */
  #noteRole(): void {
    const { metrics, logger } = this.#ports;
    const { leadership } = this.#elector;
    const leads = leadership !== null;
    const paused = leadership?.paused === true;
    metrics.role({ leads, paused });
    const term = leadership?.fence.token ?? null;
    if (term !== this.#term) {
      this.#term = term;
      logger.info(leads ? 'collector: leading' : 'collector: no longer leading', {
        holder: this.#settings.holder,
      });
      this.#garbageCollector.reset();
    }
    if (leads && paused !== this.#isPaused) logger.info(paused ? 'collector: paused' : 'collector: resumed');
    this.#isPaused = paused;
  }

  #fail(error: unknown): void {
    const { clock, random, logger, metrics } = this.#ports;
    this.#failures += 1;
    const range = { firstMs: this.#settings.pollIntervalMs, longestMs: longestBackOffMs };
    const delayMs = backOffMs(this.#failures, range, random);
    this.#retryAt = clock.now() + delayMs;
    // The lease is renewed while runs fail, unless it is the lease that fails.
    if (this.#elector.nextAttemptAt <= clock.now()) this.#elector.retryAt(this.#retryAt);
    metrics.failed(delayMs / 1_000);
    if (!this.#outage.note(error))
      logger.error('collector: run failed', { failures: this.#failures, delayMs, error });
  }

  /** The lease works again. No run reports it while this process follows or is paused. */
  #recover(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#outage.end();
    this.#ports.metrics.recovered();
  }

  #nextStepAt(): number {
    const { nextAttemptAt, leadership } = this.#elector;
    if (this.#ports.clock.now() < this.#retryAt) return Math.min(nextAttemptAt, this.#retryAt);
    if (leadership?.paused !== false) return nextAttemptAt;
    return Math.min(nextAttemptAt, this.#pollAt, this.#garbageCollector.nextRunAt);
  }
}
