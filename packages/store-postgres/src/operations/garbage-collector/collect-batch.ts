import {
  type BatchPlan,
  type Fenced,
  type GarbageCollectorStore,
  RowsRefused,
} from '@platform/garbage-collector';
import { Contention, StorageError } from '@platform/kernel';
import { type Database, isRetryable, retrying, stateOf } from '@platform/postgres';
import { checkFence } from './lease.ts';
import { lockBatch } from './lock-batch.ts';
import { lookOutside } from './look-outside.ts';
import { statementsOf } from './plan-statements.ts';
import { planned } from './planned.ts';

/** How long `wait` waits for a row lock; `skip` never waits. */
const lockWaitMs = 250;

/**
 * Runs one batch in one transaction of four round trips: fence and locks, the rows around the batch, the writes, the commit.
 *
 *      begin
 *        └─ fence ok?  lock rows (uid order)     from here on nothing new can depend on them
 *             └─ look outside the batch          a new snapshot: sees everything committed before the locks
 *                  └─ plan (pure)  delete, update
 *      commit                                    the caller writes the audit records
 */
export async function collectBatch(
  database: Database,
  batch: Parameters<GarbageCollectorStore['collectBatch']>[0],
  plan: Parameters<GarbageCollectorStore['collectBatch']>[1],
): Promise<Fenced<{ plan: BatchPlan }>> {
  const uids = [...new Set(batch.uids)].sort();
  const run = () =>
    planned(database, async (sql): Promise<Fenced<{ plan: BatchPlan }>> => {
      const { lockWait, fence } = batch;
      if (lockWait === 'wait') void sql.rows(waitText).catch(() => {});
      const [end, rows] = await Promise.all([checkFence(sql, fence), lockBatch(sql, uids, lockWait)]);
      if (end !== null) return { outcome: end };
      const writes = plan(rows.length === 0 ? [] : await lookOutside(sql, rows));
      await Promise.all(statementsOf(writes).map(({ text, parameters }) => sql.rows(text, parameters)));
      return { outcome: 'committed', plan: writes };
    });
  try {
    return await (batch.lockWait === 'skip' ? retrying(run) : run());
  } catch (error) {
    if (error instanceof StorageError) throw error;
    if (isRetryable(error)) throw new Contention('A row is locked.', error);
    throw isRowsFault(error) ? new RowsRefused(stateOf(error) as string, error) : error;
  }
}

const waitText = `select set_config('lock_timeout', '${lockWaitMs}ms', true)`;

/**
 * Whether the refusal is about a row, so that another batch may succeed: any SQLSTATE except those about the statement or the session
 * (classes 0A, 25, 26, 42), which are the same for every row.
 */
function isRowsFault(error: unknown): boolean {
  const state = stateOf(error);
  return state !== null && /^[0-9A-Z]{5}$/.test(state) && !/^(0A|25|26|42)/.test(state);
}
