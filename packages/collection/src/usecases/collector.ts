import type { Clock, Logger, RandomBytes, Tracer } from '@platform/kernel';
import type { AuditLog } from '@platform/resources';
import type { SweepOutcome, SweepReport } from '../model/sweep-report.ts';
import type { CollectionStore } from '../ports/collection-store.ts';
import type { HousekeepingTask } from '../ports/housekeeping.ts';
import type { Fence, Lease } from '../ports/lease.ts';
import type { CollectorMetrics } from '../ports/sweep-metrics.ts';
import type { WakeUp } from '../ports/wake-ups.ts';
import { backOffMs } from '../rules/back-off.ts';
import { Demand } from './demand.ts';
import { Housekeeper } from './housekeeper.ts';
import { Leadership } from './leadership.ts';
import { Memory } from './memory.ts';
import { Parking } from './parking.ts';
import { logSweep } from './sweep-log.ts';
import { Sweeper } from './sweeper.ts';
import { WorkList } from './work-list.ts';

/** What the collector is given. */
export interface CollectorPorts {
  readonly store: CollectionStore;
  readonly lease: Lease;
  readonly audit: AuditLog;
  readonly metrics: CollectorMetrics;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly housekeeping?: readonly HousekeepingTask[];
}

/** `collector.*` of the configuration, and the name under which this process holds the lease. */
export interface CollectorSettings {
  /** Unique among all processes that ever ran. */
  readonly holder: string;
  readonly pollIntervalMs: number;
  readonly batchSize: number;
  readonly leaseSeconds: number;
}

/** Tombstones remembered or set aside, at most: some 15 MB. */
const memoryLimit = 50_000;
/** A sweep ends after that long, so that housekeeping has its turn. */
const longestSweepMs = 30_000;
/** What is remembered is forgotten that often, so that what was changed past the rules, by hand in SQL, is found too. */
const forgetAfterMs = 600_000;
/** The backlog is counted that often, at most. */
const backlogIntervalMs = 10_000;

/**
 * One replica of the collector, as a state that is stepped: the caller waits between steps, for as long as a step says or until a
 * wake-up comes. A step never rejects: failures are logged, counted and backed off from.
 */
export class Collector {
  readonly #ports: CollectorPorts;
  readonly #settings: CollectorSettings;
  readonly #leadership: Leadership;
  readonly #sweeper: Sweeper;
  readonly #housekeeper: Housekeeper;
  readonly #demand = new Demand();
  #led = false;
  #stopping = false;
  #unfinished = false;
  #failures = 0;
  #retryAt = Number.NEGATIVE_INFINITY;
  #pollAt = Number.NEGATIVE_INFINITY;
  #forgetAt: number;
  #backlogAt = Number.NEGATIVE_INFINITY;

  constructor(ports: CollectorPorts, settings: CollectorSettings) {
    const { clock, lease } = ports;
    this.#ports = ports;
    this.#settings = settings;
    this.#leadership = new Leadership(lease, clock, settings.holder, settings.leaseSeconds);
    const memory = new Memory(memoryLimit);
    const parking = new Parking(memoryLimit, ports);
    this.#sweeper = new Sweeper(
      { ...ports, memory, parking, work: new WorkList() },
      {
        batchSize: settings.batchSize,
        pageSize: Math.max(1_000, settings.batchSize),
        longestMs: longestSweepMs,
      },
    );
    this.#housekeeper = new Housekeeper(ports.housekeeping ?? [], ports);
    this.#forgetAt = clock.now() + forgetAfterMs;
  }

  /** Whether this replica leads now. */
  get leads(): boolean {
    return this.#leadership.role.role === 'leader';
  }

  /** Takes note of a wake-up; the next step should follow at once. */
  wake(wakeUp: WakeUp): void {
    if (wakeUp.reason !== 'lease') this.#demand.add(wakeUp);
    // What was missed may have been that the lease is free.
    if (wakeUp.reason === 'lease' || wakeUp.reason === 'missed') this.#leadership.hurry();
    // Listening has begun again, so an outage is over; the failures still count should the next step fail as well.
    if (wakeUp.reason === 'missed') this.#retryAt = Number.NEGATIVE_INFINITY;
  }

  /** Does what is due and returns for how many milliseconds nothing more is. */
  async step(): Promise<number> {
    const { clock, metrics } = this.#ports;
    try {
      const role = await this.#leadership.keep();
      this.#noteRole(role.role === 'leader');
      const paused = role.role === 'leader' && role.paused;
      metrics.paused(paused);
      if (role.role === 'follower') this.#demand.clear();
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

  /** Makes the sweep under way end after its running batch. */
  stop(): void {
    this.#stopping = true;
  }

  /** Gives the lease back. Called when no step is running any more. */
  async close(): Promise<void> {
    try {
      await this.#leadership.release();
    } catch (error) {
      this.#ports.logger.warn('collector: the lease could not be released; it ends by itself', { error });
    }
    this.#noteRole(false);
  }

  async #work(fence: Fence): Promise<void> {
    const { clock, metrics } = this.#ports;
    const polls = clock.now() >= this.#pollAt;
    if (polls) this.#pollAt = clock.now() + this.#settings.pollIntervalMs;
    const due = this.#sweeper.nextRetryAt;
    if (polls || !this.#demand.empty || this.#unfinished || (due !== null && due <= clock.now())) {
      if (clock.now() >= this.#forgetAt && !this.#unfinished) this.#forget();
      const report = await this.#sweeper.sweep(fence, this.#demand.take(polls), () => this.#checkpoint());
      this.#finish(report);
      if (report.outcome === 'done' && clock.now() >= this.#backlogAt) {
        this.#backlogAt = clock.now() + backlogIntervalMs;
        metrics.backlog(await this.#ports.store.backlog());
      }
    }
    this.#failures = 0;
    await this.#housekeeper.run(() => this.leads && !this.#stopping);
  }

  /** Between two batches: is the lease still ours, and is it to be renewed? */
  async #checkpoint(): Promise<SweepOutcome | null> {
    if (this.#stopping) return 'stopped';
    const role = await this.#leadership.keep();
    if (role.role === 'follower') return 'deposed';
    return role.paused ? 'paused' : null;
  }

  #finish(report: SweepReport): void {
    const { metrics, logger } = this.#ports;
    this.#unfinished = report.outcome === 'unfinished';
    if (report.outcome === 'deposed') this.#leadership.lose();
    if (report.outcome === 'paused') this.#leadership.hurry();
    metrics.swept(report);
    logSweep(logger, report);
  }

  /** A new leader knows nothing of what others did, and looks everywhere first. */
  #noteRole(leads: boolean): void {
    if (leads === this.#led) return;
    this.#led = leads;
    this.#ports.metrics.leader(leads);
    this.#ports.logger.info(leads ? 'collector: leading' : 'collector: no longer leading', {
      holder: this.#settings.holder,
    });
    this.#unfinished = false;
    this.#forget();
  }

  #forget(): void {
    this.#sweeper.reset();
    this.#demand.add({ reason: 'missed' });
    this.#forgetAt = this.#ports.clock.now() + forgetAfterMs;
  }

  #fail(error: unknown): void {
    const { clock, random, logger, metrics } = this.#ports;
    this.#failures += 1;
    this.#unfinished = false;
    const delayMs = backOffMs(this.#failures, this.#settings.pollIntervalMs, random);
    this.#retryAt = clock.now() + delayMs;
    // The lease is renewed while sweeps fail, unless it is the lease that cannot be had.
    if (this.#leadership.nextAttemptAt <= clock.now()) this.#leadership.postpone(this.#retryAt);
    this.#demand.add({ reason: 'missed' });
    metrics.failed(this.#failures, delayMs / 1_000);
    logger.error('collector: the sweep failed', { failures: this.#failures, delayMs, error });
  }

  /** The lease could be asked for again, and there is no sweep that could show the same. */
  #recover(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#ports.metrics.recovered();
  }

  #nextStepAt(): number {
    const lease = this.#leadership.nextAttemptAt;
    if (this.#ports.clock.now() < this.#retryAt) return Math.min(lease, this.#retryAt);
    const role = this.#leadership.role;
    if (role.role === 'follower' || role.paused) return lease;
    if (this.#unfinished || !this.#demand.empty) return Number.NEGATIVE_INFINITY;
    const others = [this.#sweeper.nextRetryAt, this.#housekeeper.nextAt].filter((at) => at !== null);
    return Math.min(lease, this.#pollAt, ...others);
  }
}
