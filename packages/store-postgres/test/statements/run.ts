import type { Database } from '@platform/postgres';
import { faultsOf, type PlanContext } from './check-plans.ts';
import { Explaining, inTransaction, undoing } from './explain.ts';
import { type Operation, type Operations, portsOn } from './operation.ts';
import { deepest } from './rows.ts';

/** Statements that a connection has prepared, by text. Plans that were made once stay as long as it does. */
export type Prepared = Map<string, string>;

/**
 * Runs each operation, undoes it, and returns what is wrong with its statements, by the name of the operation; {} when nothing is. An
 * operation with faults runs a second time, because a vacuum during the first run can add to the pages that are counted.
 */
export async function faultsIn(
  database: Database,
  prepared: Prepared,
  operations: Operations,
  context: PlanContext = {},
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const run = () => faultsOfOne(database, prepared, operation, context);
    const faults = (await run()).length === 0 ? [] : await run();
    if (faults.length > 0) found[name] = faults;
  }
  return found;
}

async function faultsOfOne(
  database: Database,
  prepared: Prepared,
  operation: Operation,
  context: PlanContext,
): Promise<readonly string[]> {
  let faults: readonly string[] = [];
  await undoing(database, async (sql) => {
    if (context.custom) await sql.rows('set local plan_cache_mode = force_custom_plan');
    const explaining = new Explaining(sql, prepared);
    await operation.run(portsOn(inTransaction(explaining)), [1, 2, deepest]);
    faults = faultsOf(operation, explaining.explained, context);
  });
  return faults;
}
