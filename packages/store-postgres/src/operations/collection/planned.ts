import type { Statement } from '../../connection.ts';
import type { Database } from '../../database.ts';
import type { TransactionSql } from '../../transaction.ts';

/**
 * The statements of the collector have one good plan each: look-ups by key for a bounded list, one after the other. The planner would leave it
 * when its idea of the table is out of date, and it always is in the middle of a large cascade: with hash joins and scans allowed, a plan made
 * for an empty table, or for one with few tombstones, was measured at 53 s for what takes 0.3 s. So the other ways are
 * switched off for the transaction, and the plan is made once a connection, not for each execution. A sort is one of them: a page of
 * tombstones is read off its index, while a plan that was made when there were none sorts all that there are, for every page (40 ms a
 * page at 40,000 rows, 29 % of the samples of a cascade of those, and growing with the square).
 *
 * A recursive statement begins with a hash table as large as `work_mem` and its multiplier allow, whatever it finds: 40 ms with the 32 MB of
 * other sessions, more than all the rest of a batch.
 */
export const plannerSettings = `
  select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('enable_material', 'off', true), set_config('enable_sort', 'off', true),
    set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('work_mem', '4MB', true), set_config('hash_mem_multiplier', '1', true), set_config('platform.collecting', 'on', true)`;

/** Runs `work` in one transaction in which statements keep to look-ups by key; the settings travel together with its first statement. */
export function planned<T>(database: Database, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  return database.transaction(async (sql) => {
    const set = sql.rows(plannerSettings);
    const [result] = await Promise.all([work(sql), set]);
    return result;
  });
}

/** Runs one statement that way, in one round trip. */
export async function plannedRows<Row extends readonly unknown[]>(
  database: Database,
  statement: Statement,
): Promise<readonly Row[]> {
  return await planned(database, async (sql) => {
    const [rows = []] = await sql.finish([statement]);
    return rows as readonly Row[];
  });
}
