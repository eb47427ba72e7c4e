import type { Clock, Logger, RandomBytes, Tracer } from '@platform/kernel';
import type { AuditLog } from '@platform/resources';
import type { RunOutcome, RunReport } from '../model/run-report.ts';
import type { CleanupTask } from '../ports/cleanup-task.ts';
import type { GarbageCollectorStore } from '../ports/garbage-collector-store.ts';
import type { Fence, Lease } from '../ports/lease.ts';
import type { CollectorMetrics } from '../ports/metrics.ts';
import type { WakeUp } from '../ports/wake-ups.ts';
import { backOffMs } from '../rules/back-off.ts';
import { BlockedOwnersCache } from './blocked-owners-cache.ts';
import { ExpiryCleaner } from './expiry-cleaner.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { LeaderElector } from './leader-elector.ts';
import { PendingTriggers } from './pending-triggers.ts';
import { RetryQueue } from './retry-queue.ts';
import { WorkQueue } from './work-queue.ts';

/** The ports that a collector works with. `clock` measures intervals only and must never go back. */
export interface CollectorPorts {
  readonly store: GarbageCollectorStore;
  readonly lease: Lease;
  readonly audit: AuditLog;
  readonly metrics: CollectorMetrics;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly cleanupTasks?: readonly CleanupTask[];
}

/** `collector.*` of the configuration, and the name of this process as a holder of the lease. */
export interface CollectorSettings {
  /** Must be unique to this process. */
  readonly holder: string;
  readonly pollIntervalMs: number;
  readonly batchSize: number;
  readonly leaseSeconds: number;
}

/** Rows in the cache of blocked owners, and in the retry queue, at most. */
const cachedRows = 50_000;
/** A run ends after that long, so that the cleanup tasks have their turn. */
const longestRunMs = 30_000;
/** The cached state is dropped that often, so that changes made by hand in SQL are found too. */
const resetIntervalMs = 600_000;
/** Milliseconds between two counts of the backlog, at least. */
const backlogIntervalMs = 10_000;

/**
 * One replica of the collector: leader election, runs of the garbage collector, and the cleanup tasks. The caller calls `step` again after
 * the time that it returned, or when a wake-up comes. A step never rejects: failures are logged, counted and retried with back-off.
 */
export class Collector {
  readonly #ports: CollectorPorts;
  readonly #settings: CollectorSettings;
  readonly #elector: LeaderElector;
  readonly #garbageCollector: GarbageCollector;
  readonly #cleaner: ExpiryCleaner;
  readonly #triggers = new PendingTriggers();
  #wasLeader = false;
  #stopping = false;
  #unfinished = false;
  #failures = 0;
  #retryAt = Number.NEGATIVE_INFINITY;
  #pollAt = Number.NEGATIVE_INFINITY;
  #resetAt: number;
  #backlogAt = Number.NEGATIVE_INFINITY;

  constructor(ports: CollectorPorts, settings: CollectorSettings) {
    const { clock, lease } = ports;
    this.#ports = ports;
    this.#settings = settings;
    this.#elector = new LeaderElector(lease, clock, settings.holder, settings.leaseSeconds);
    this.#garbageCollector = new GarbageCollector(
      {
        ...ports,
        blocked: new BlockedOwnersCache(cachedRows),
        retries: new RetryQueue(cachedRows, ports),
        queue: new WorkQueue(),
      },
      {
        batchSize: settings.batchSize,
        pageSize: Math.max(1_000, settings.batchSize),
        longestMs: longestRunMs,
      },
    );
    this.#cleaner = new ExpiryCleaner(ports.cleanupTasks ?? [], ports);
    this.#resetAt = clock.now() + resetIntervalMs;
  }

  /** Whether this replica leads now. */
  get leads(): boolean {
    return this.#elector.role.role === 'leader';
  }

  /** Proves in the database that this replica leads; null when it does not. */
  get fence(): Fence | null {
    const { role } = this.#elector;
    return role.role === 'leader' ? role.fence : null;
  }

  /** Records a wake-up; the caller should step at once. */
  wake(wakeUp: WakeUp): void {
    if (wakeUp.reason !== 'lease') this.#triggers.add(wakeUp);
    // The missed wake-up may have been that the lease is free.
    if (wakeUp.reason === 'lease' || wakeUp.reason === 'missed') this.#elector.renewNow();
    // Listening works again, so the outage is over. The failures still count when the next step fails too.
    if (wakeUp.reason === 'missed') this.#retryAt = Number.NEGATIVE_INFINITY;
  }

  /** Does what is due. Returns in how many milliseconds the next step is due. */
  async step(): Promise<number> {
    const { clock, metrics } = this.#ports;
    try {
      const role = await this.#elector.tryAcquireOrRenew();
      this.#noteRole(role.role === 'leader');
      const paused = role.role === 'leader' && role.paused;
      metrics.paused(paused);
      if (role.role === 'follower') this.#triggers.clear();
      if (clock.now() >= this.#retryAt) {
        if (role.role === 'leader' && !paused) await this.#work(role.fence);
        else this.#recover();
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#noteRole(this.leads);
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
      this.#ports.logger.warn('collector: the lease could not be released; it will expire', { error });
    }
    this.#noteRole(false);
  }

  async #work(fence: Fence): Promise<void> {
    const { clock, metrics } = this.#ports;
    const polls = clock.now() >= this.#pollAt;
    if (polls) this.#pollAt = clock.now() + this.#settings.pollIntervalMs;
    const due = this.#garbageCollector.nextRetryAt;
    if (polls || !this.#triggers.empty || this.#unfinished || (due !== null && due <= clock.now())) {
      if (clock.now() >= this.#resetAt && !this.#unfinished) this.#reset();
      const report = await this.#garbageCollector.run(fence, this.#triggers.take(polls), () =>
        this.#checkpoint(),
      );
      this.#finish(report);
      if (report.outcome === 'done' && clock.now() >= this.#backlogAt) {
        this.#backlogAt = clock.now() + backlogIntervalMs;
        metrics.backlog(await this.#ports.store.backlog(this.#garbageCollector.oldestTombstone));
      }
    }
    this.#failures = 0;
    await this.#cleaner.run(() => this.leads && !this.#stopping);
  }

  /** Between two batches: renews the lease, and ends the run when this process no longer leads or must stop. */
  async #checkpoint(): Promise<RunOutcome | null> {
    if (this.#stopping) return 'stopped';
    const role = await this.#elector.tryAcquireOrRenew();
    if (role.role === 'follower') return 'deposed';
    return role.paused ? 'paused' : null;
  }

  #finish(report: RunReport): void {
    const { metrics, logger } = this.#ports;
    this.#unfinished = report.outcome === 'unfinished';
    if (report.outcome === 'deposed') this.#elector.stepDown();
    if (report.outcome === 'paused') this.#elector.renewNow();
    metrics.ran(report);
    const { removed, tombstoned, refused, outcome } = report;
    if (removed + tombstoned + refused > 0 || outcome !== 'done')
      logger.info('collector: run ended', { ...report });
  }

  /** A new leader does not know what others did, so it starts with a full scan. */
  #noteRole(leads: boolean): void {
    if (leads === this.#wasLeader) return;
    this.#wasLeader = leads;
    this.#ports.metrics.leader(leads);
    this.#ports.logger.info(leads ? 'collector: leading' : 'collector: no longer leading', {
      holder: this.#settings.holder,
    });
    this.#unfinished = false;
    this.#reset();
  }

  #reset(): void {
    this.#garbageCollector.reset();
    this.#triggers.add({ reason: 'missed' });
    this.#resetAt = this.#ports.clock.now() + resetIntervalMs;
  }

  #fail(error: unknown): void {
    const { clock, random, logger, metrics } = this.#ports;
    this.#failures += 1;
    this.#unfinished = false;
    const delayMs = backOffMs(this.#failures, this.#settings.pollIntervalMs, random);
    this.#retryAt = clock.now() + delayMs;
    // The lease is renewed while runs fail, unless it is the lease that fails.
    if (this.#elector.nextAttemptAt <= clock.now()) this.#elector.retryAt(this.#retryAt);
    this.#triggers.add({ reason: 'missed' });
    metrics.failed(this.#failures, delayMs / 1_000);
    logger.error('collector: run failed', { failures: this.#failures, delayMs, error });
  }

  /** The lease works again, and no run can report that while this process follows or is paused. */
  #recover(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#ports.metrics.recovered();
  }

  #nextStepAt(): number {
    const lease = this.#elector.nextAttemptAt;
    if (this.#ports.clock.now() < this.#retryAt) return Math.min(lease, this.#retryAt);
    const role = this.#elector.role;
    if (role.role === 'follower' || role.paused) return lease;
    if (this.#unfinished || !this.#triggers.empty) return Number.NEGATIVE_INFINITY;
    const others = [this.#garbageCollector.nextRetryAt, this.#cleaner.nextAt].filter((at) => at !== null);
    return Math.min(lease, this.#pollAt, ...others);
  }
}
