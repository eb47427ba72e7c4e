import type { Database, Sql, Statement } from '@platform/postgres';

/**
 * Planner settings for the statements of the garbage collector. Each has one good plan: nested index look-ups for a bounded list of keys.
 * In the middle of a large cascade the statistics are always out of date, and the planner would switch to hash joins, sequential scans
 * or sorts of all tombstones. These are disabled for the transaction; the plan is made once a connection. The small `work_mem` matters
 * because a recursive statement allocates a hash table of that size whatever it finds. Figures: docs/collector.md.
 */
const plannerSettings = `
  select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('enable_material', 'off', true), set_config('enable_sort', 'off', true),
    set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('work_mem', '4MB', true), set_config('hash_mem_multiplier', '1', true), set_config('platform.collecting', 'on', true)`;

/** Runs `work` in one transaction with {@link plannerSettings}, which are sent together with its first statement. */
export function planned<T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.transaction(async (sql) => {
    const set = sql.rows(plannerSettings);
    const [result] = await Promise.all([work(sql), set]);
    return result;
  });
}

/** Runs one statement with {@link plannerSettings}. */
export function plannedRows<Row extends readonly unknown[]>(
  database: Database,
  { text, parameters }: Statement,
): Promise<readonly Row[]> {
  return planned(database, (sql) => sql.rows<Row>(text, parameters));
}
