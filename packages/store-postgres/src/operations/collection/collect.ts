import { type BatchOutcome, type CollectionStore, RowsRefused } from '@platform/collection';
import { Problem } from '@platform/kernel';
import type { Database } from '../../database.ts';
import { retrying } from '../../retry.ts';
import { isRetryable, stateOf } from '../../sqlstate.ts';
import { checkFence } from './lease.ts';
import { lockBatch } from './lock-batch.ts';
import { lookOutside } from './look-outside.ts';
import { statementsOf } from './plan-statements.ts';
import { planned } from './planned.ts';

/** How long a lock is waited for in the patient mode; `skip` never waits for one. */
const patienceMs = 250;

/**
 * One batch in one transaction of three round trips: fence and locks, what is around, the writes with the commit.
 *
 *      begin
 *        └─ fence ok?  lock rows (uid order)     nothing new can depend on them from here on
 *             └─ look outside the batch          a new snapshot: sees all that was committed before the locks
 *                  └─ settle (pure)  delete, update
 *      commit                                    audit records follow, by the caller
 */
export async function collect(
  database: Database,
  batch: Parameters<CollectionStore['collect']>[0],
  settle: Parameters<CollectionStore['collect']>[1],
): Promise<BatchOutcome> {
  const uids = [...new Set(batch.uids)].sort();
  const run = () =>
    planned(database, async (sql): Promise<BatchOutcome> => {
      const { patience, fence } = batch;
      if (patience === 'wait') void sql.rows(waitText).catch(() => {});
      const [end, rows] = await Promise.all([checkFence(sql, fence), lockBatch(sql, uids, patience)]);
      if (end !== null) return { outcome: end };
      const plan = settle(rows.length === 0 ? [] : await lookOutside(sql, rows));
      await sql.finish(statementsOf(plan));
      return { outcome: 'committed', plan };
    });
  try {
    return await (batch.patience === 'skip' ? retrying(run) : run());
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (isRetryable(error)) throw new Problem('contention', 'A row is locked.', { cause: error });
    throw isRowsFault(error) ? new RowsRefused(stateOf(error) as string, error) : error;
  }
}

const waitText = `select set_config('lock_timeout', '${patienceMs}ms', true)`;

/**
 * Whether another batch may well succeed: the database answered with an SQLSTATE, and not one about the statement or the session
 * (classes 0A, 25, 26, 42), which would be the same for every row.
 */
function isRowsFault(error: unknown): boolean {
  const state = stateOf(error);
  return state !== null && /^[0-9A-Z]{5}$/.test(state) && !/^(0A|25|26|42)/.test(state);
}
