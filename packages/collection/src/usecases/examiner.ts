import type { Clock, Logger, Tracer } from '@platform/kernel';
import { Problem } from '@platform/kernel';
import type { AuditLog } from '@platform/resources';
import type { BatchPlan, Verdict } from '../model/batch.ts';
import type { SweepTally } from '../model/sweep-report.ts';
import { type CollectionStore, type Patience, RowsRefused } from '../ports/collection-store.ts';
import type { Fence } from '../ports/lease.ts';
import type { CollectorMetrics } from '../ports/sweep-metrics.ts';
import { settleBatch } from '../rules/settle-batch.ts';
import type { Memory } from './memory.ts';
import type { Parking, ParkingReason } from './parking.ts';
import type { WorkList } from './work-list.ts';

/** Everything that a sweep works on and with. */
export interface SweepContext {
  readonly store: CollectionStore;
  readonly audit: AuditLog;
  readonly metrics: CollectorMetrics;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly clock: Clock;
  readonly memory: Memory;
  readonly parking: Parking;
  readonly work: WorkList;
}

/**
 * Examinations of a row that follow at once when what blocked it is gone. One that has lost so many blockers is likely to have many more: it
 * waits for the rest of its page of the scan, lest every batch looks through all removed dependents of a wide owner for the next one.
 */
const eagerLooks = 4;

/** Whether sweeping may go on after a batch. */
export type Progress = 'committed' | 'deposed' | 'paused';

const collector = { actor: { type: 'system', id: 'collector' }, requestId: null } as const;

/**
 * Examines rows in one transaction, and takes what it made of them into account. When the database refuses a row, the batch is halved
 * until that row stands alone; it is set aside and everything else is written.
 * @throws Problem `unavailable`: nobody's fault but the database's; the sweep fails.
 */
export async function examine(
  context: SweepContext,
  tally: SweepTally,
  fence: Fence,
  uids: readonly string[],
  patience: Patience,
): Promise<Progress> {
  const startedAt = context.clock.now();
  try {
    const result = await collect(context, fence, uids, patience);
    if (result.outcome !== 'committed') return result.outcome;
    const { plan } = result;
    // First of all: a record that is not written before the process ends is lost.
    if (plan.cascades.length > 0) context.audit.cascaded(plan.cascades, collector);
    context.metrics.batch(plan.verdicts.length, (context.clock.now() - startedAt) / 1_000);
    count(tally, plan);
    for (const verdict of plan.verdicts) note(context, verdict);
    parkMissing(context, uids, plan);
    return 'committed';
  } catch (error) {
    if (error instanceof Problem && error.code === 'contention') {
      for (const uid of uids) park(context, uid, 'contended');
      return 'committed';
    }
    if (!(error instanceof RowsRefused)) throw error;
    return await isolate(context, tally, fence, uids, error);
  }
}

/** The transaction, as a span with what became of its rows. */
function collect(context: SweepContext, fence: Fence, uids: readonly string[], patience: Patience) {
  const attributes = { 'db.system.name': 'postgresql', 'platform.batch.rows': uids.length };
  return context.tracer.span({ name: 'collector.batch', kind: 'client', attributes }, async (span) => {
    const result = await context.store.collect({ uids, patience, fence }, settleBatch);
    span.set({ 'platform.batch.outcome': result.outcome });
    if (result.outcome === 'committed') {
      span.set({
        'platform.batch.examined': result.plan.verdicts.length,
        'platform.batch.removed': result.plan.remove.length,
        'platform.batch.tombstoned': result.plan.cascades.length,
      });
    }
    return result;
  });
}

/** The upper half first: what it tombstones is what the lower half needs to be reached. */
async function isolate(
  context: SweepContext,
  tally: SweepTally,
  fence: Fence,
  uids: readonly string[],
  error: RowsRefused,
): Promise<Progress> {
  const [first] = uids;
  if (uids.length === 1 && first !== undefined) {
    tally.refused += 1;
    const attempts = park(context, first, 'refused');
    context.logger.error('collector: a row cannot be collected', {
      uid: first,
      reason: error.reason,
      error: error.message,
      attempts,
    });
    return 'committed';
  }
  const middle = Math.ceil(uids.length / 2);
  for (const half of [uids.slice(0, middle), uids.slice(middle)]) {
    const progress = await examine(context, tally, fence, half, 'skip');
    if (progress !== 'committed') return progress;
  }
  return 'committed';
}

function count(tally: SweepTally, plan: BatchPlan): void {
  tally.batches += 1;
  tally.examined += plan.verdicts.length;
  tally.removed += plan.remove.length;
  tally.stamped += plan.cascades.length;
  tally.changes += plan.remove.length + plan.change.length;
}

/** What a verdict means for the rest of the sweep. */
function note(context: SweepContext, verdict: Verdict): void {
  const { memory, parking, work } = context;
  const { uid, revision, witness } = verdict;
  work.examined(uid);
  // A row that waits for another that is set aside keeps its own back-off.
  if (verdict.standing !== 'postpone') parking.release(uid);
  switch (verdict.standing) {
    case 'ignore':
      memory.forget(uid);
      work.done(uid);
      return;
    case 'remove':
      noteGone(context, uid);
      // An owner that is known to be blocked by something else need not be looked at.
      for (const owner of verdict.blocks) {
        if (memory.get(owner) === undefined && !parking.has(owner)) work.ascend(owner);
      }
      return;
    case 'postpone':
      memory.forget(uid);
      work.spread(uid);
      return;
    case 'hold':
      memory.remember(uid, { revision, witness: null, spread: true });
      return;
    case 'block': {
      const spread = verdict.spread || memory.get(uid)?.spread === true;
      memory.remember(uid, { revision, witness, spread });
      if (!spread || (witness?.live === true && !parking.has(witness.uid))) work.spread(uid);
    }
  }
}

/** The row does not exist any more: whoever was blocked by it is looked at again. */
export function noteGone({ memory, parking, work }: SweepContext, uid: string): void {
  memory.forget(uid);
  parking.release(uid);
  work.done(uid);
  for (const waiter of memory.waitersOf(uid)) {
    if ((memory.get(waiter)?.looks ?? 0) < eagerLooks) work.ascend(waiter);
    else work.addPage([waiter]);
  }
}

/** Rows that were asked for and not locked are somebody else's for the moment, or gone; the retry finds out which. */
function parkMissing(context: SweepContext, uids: readonly string[], { verdicts }: BatchPlan): void {
  if (verdicts.length === uids.length) return;
  const found = new Set(verdicts.map(({ uid }) => uid));
  for (const uid of uids) if (!found.has(uid)) park(context, uid, 'contended');
}

/** Sets a row aside; returns how often that has been. */
export function park({ parking, memory, work }: SweepContext, uid: string, reason: ParkingReason): number {
  memory.forget(uid);
  work.done(uid);
  return parking.park(uid, reason);
}
