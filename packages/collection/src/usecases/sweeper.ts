import { type SweepOutcome, type SweepReport, SweepTally } from '../model/sweep-report.ts';
import type { Tombstone } from '../ports/collection-store.ts';
import type { Fence } from '../ports/lease.ts';
import { examine, noteGone, type Progress, type SweepContext } from './examiner.ts';
import { Scan } from './scan.ts';
import { Spreader } from './spreader.ts';

/** How much a sweep does at a time. */
export interface SweepLimits {
  /** Rows of one transaction. */
  readonly batchSize: number;
  /** Tombstones read at a time. */
  readonly pageSize: number;
  /** A sweep ends after that many milliseconds and is gone on with by the next one. */
  readonly longestMs: number;
}

/** What a sweep is to look at. */
export interface SweepDemand {
  /** Rows that may have become collectable. */
  readonly look: readonly string[];
  /** Moments at which rows were tombstoned, in milliseconds since the Unix epoch. */
  readonly tombstonedAt: readonly number[];
  /** Whether to look for tombstones that no wake-up named: `due` as often as is fair, `all` in any case. */
  readonly poll: 'no' | 'due' | 'all';
}

/** What may end a sweep between two batches; null while it may go on. */
export type Checkpoint = () => Promise<SweepOutcome | null>;

/** Attempts to lock a row in passing, before its lock is waited for. */
const patientAttempts = 4;
/** Rows whose lock is waited for, in one sweep. */
const patientRows = 5;

/**
 * The collector's work, as an ordered list of small steps that is walked until nothing is left (the fixpoint): rows below tombstones,
 * tombstones whose blockers are gone, live dependents still to be found, and the next tombstones of the scan.
 * What it has learned stays for the next sweep; a new leader starts with nothing and finds everything by scanning.
 */
export class Sweeper {
  readonly #context: SweepContext;
  readonly #limits: SweepLimits;
  readonly #scan: Scan;
  readonly #spreader: Spreader;

  constructor(context: SweepContext, limits: SweepLimits) {
    this.#context = context;
    this.#limits = limits;
    this.#scan = new Scan(context.store, context.clock);
    this.#spreader = new Spreader(limits.batchSize);
  }

  /** When a row that was set aside is due, in milliseconds since the Unix epoch; null when there is none. */
  get nextRetryAt(): number | null {
    return this.#context.parking.nextAt;
  }

  /** Forgets everything: another leader may have worked in the meantime. */
  reset(): void {
    this.#context.memory.clear();
    this.#context.parking.clear();
    this.#context.work.clear();
    this.#scan.clear();
  }

  /** Collects all that the demand leads to. @throws Problem `unavailable` when the database does not serve; what was committed stays. */
  sweep(fence: Fence, demand: SweepDemand, checkpoint: Checkpoint): Promise<SweepReport> {
    return this.#context.tracer.span({ name: 'collector.sweep', kind: 'internal' }, async (span) => {
      const report = await this.#sweep(fence, demand, checkpoint);
      span.set(attributesOf(report));
      return report;
    });
  }

  async #sweep(fence: Fence, demand: SweepDemand, checkpoint: Checkpoint): Promise<SweepReport> {
    const { clock, memory, parking } = this.#context;
    const startedAt = clock.now();
    const tally = new SweepTally();
    this.#take(demand);
    const outcome = await this.#walk(fence, tally, async () =>
      clock.now() - startedAt >= this.#limits.longestMs ? 'unfinished' : await checkpoint(),
    ).catch((error: unknown) => {
      // What the failed batch was about is nowhere any more.
      this.reset();
      throw error;
    });
    if (outcome === 'deposed' || outcome === 'paused') this.reset();
    const { batches, examined, removed, stamped, scanned, refused } = tally;
    const durationMs = clock.now() - startedAt;
    const stuck = memory.size + parking.size;
    return { outcome, durationMs, batches, examined, removed, stamped, scanned, refused, stuck };
  }

  #take({ look, tombstonedAt, poll }: SweepDemand): void {
    const { work, parking } = this.#context;
    work.addRegion(look.filter((uid) => !parking.isRefused(uid)));
    for (const moment of tombstonedAt) this.#scan.at(moment);
    if (poll !== 'no') this.#scan.poll(poll === 'all');
  }

  async #walk(fence: Fence, tally: SweepTally, checkpoint: Checkpoint): Promise<SweepOutcome> {
    const retried = await this.#retryParked(fence, tally, checkpoint);
    if (retried !== null) return retried;
    for (;;) {
      const end = await checkpoint();
      if (end !== null) return end;
      const progress = await this.#step(fence, tally);
      if (progress === 'nothing') return 'done';
      if (progress !== 'committed') return progress;
    }
  }

  async #step(fence: Fence, tally: SweepTally): Promise<Progress | 'nothing'> {
    const { work } = this.#context;
    const region = work.nextOfRegion(this.#limits.batchSize);
    if (region.length > 0) return await examine(this.#context, tally, fence, region, 'skip');
    const ascending = await this.#nextAscending();
    if (ascending.length > 0) {
      const batch = work.filledFromPage(ascending, this.#limits.batchSize);
      return await examine(this.#context, tally, fence, batch, 'skip');
    }
    if (await this.#spreader.step(this.#context, tally)) return 'committed';
    const rows = work.nextOfPage(this.#limits.batchSize);
    if (rows.length > 0) return await this.#examinePage(fence, tally, rows);
    const page = await this.#scan.nextPage(this.#limits.pageSize);
    if (page === null) return 'nothing';
    tally.scanned += page.length;
    work.addPage(await this.#unfamiliar(page));
    return 'committed';
  }

  async #examinePage(fence: Fence, tally: SweepTally, rows: readonly string[]): Promise<Progress> {
    const { clock } = this.#context;
    const [changes, startedAt] = [tally.changes, clock.now()];
    const progress = await examine(this.#context, tally, fence, rows, 'skip');
    if (tally.changes === changes) this.#scan.charge(clock.now() - startedAt);
    return progress;
  }

  /**
   * A row that is not remembered has nobody known to wait for it: who is above it is looked up, so that a chain still goes in batches. Where many
   * ascend at once there is no chain to be climbed row by row. Who is remembered above them is waited for by what blocks it.
   */
  async #nextAscending(): Promise<readonly string[]> {
    const { work, memory, parking, store } = this.#context;
    const { batchSize } = this.#limits;
    const batch = work.nextAscending(batchSize, memory);
    const many = batch.length >= batchSize / 4;
    if (many || batch.every((uid) => memory.get(uid) !== undefined)) return batch;
    const given = new Set(batch);
    const climbed = await store.climb(batch, batchSize);
    return climbed.filter((uid) => !parking.has(uid) && (given.has(uid) || memory.get(uid) === undefined));
  }

  /** The tombstones of which it is not known that they are held just as they were. */
  async #unfamiliar(page: readonly Tombstone[]): Promise<readonly string[]> {
    const { memory, parking, store } = this.#context;
    const unknown: string[] = [];
    const waiting: { readonly uid: string; readonly witness: string; readonly revision: number }[] = [];
    for (const { uid, revision } of page) {
      if (parking.has(uid)) continue;
      const known = memory.get(uid);
      if (known === undefined || known.revision !== revision) unknown.push(uid);
      else if (known.witness !== null) {
        waiting.push({ uid, witness: known.witness.uid, revision: known.witness.revision });
      }
    }
    if (waiting.length === 0) return unknown;
    const revisions = await store.revisions([...new Set(waiting.map(({ witness }) => witness))]);
    for (const { uid, witness, revision } of waiting) {
      if (revisions.get(witness) !== revision) unknown.push(uid);
    }
    return unknown;
  }

  /** Rows that were set aside and are due: refused ones alone, so that they spoil no batch; locked ones in passing, then patiently. */
  async #retryParked(fence: Fence, tally: SweepTally, checkpoint: Checkpoint): Promise<SweepOutcome | null> {
    const due = this.#context.parking.due();
    if (due.length === 0) return null;
    const alive = await this.#context.store.revisions(due.map(({ uid }) => uid));
    const existing = due.filter(({ uid }) => {
      if (alive.has(uid)) return true;
      noteGone(this.#context, uid);
      return false;
    });
    const alone = existing.filter(({ reason }) => reason === 'refused');
    const contended = existing.filter(({ reason }) => reason === 'contended');
    const passing = contended.filter(({ attempts }) => attempts <= patientAttempts);
    const patient = contended.filter(({ attempts }) => attempts > patientAttempts).slice(0, patientRows);
    const batches = [
      ...chunks(passing, this.#limits.batchSize).map((rows) => ({ rows, patience: 'skip' as const })),
      ...alone.map((row) => ({ rows: [row], patience: 'skip' as const })),
      ...patient.map((row) => ({ rows: [row], patience: 'wait' as const })),
    ];
    for (const { rows, patience } of batches) {
      const end = await checkpoint();
      if (end !== null) return end;
      const uids = rows.map(({ uid }) => uid);
      const progress = await examine(this.#context, tally, fence, uids, patience);
      if (progress !== 'committed') return progress;
    }
    return null;
  }
}

function attributesOf({
  outcome,
  batches,
  examined,
  removed,
  stamped,
  scanned,
  refused,
  stuck,
}: SweepReport) {
  return {
    'platform.sweep.outcome': outcome,
    'platform.sweep.batches': batches,
    'platform.sweep.scanned': scanned,
    'platform.sweep.examined': examined,
    'platform.sweep.removed': removed,
    'platform.sweep.tombstoned': stamped,
    'platform.sweep.refused': refused,
    'platform.sweep.stuck': stuck,
  };
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const result: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += size) result.push(items.slice(start, start + size));
  return result;
}
