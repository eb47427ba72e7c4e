import type { Sql } from '@platform/postgres';

const lockWaitMs = 200;

/**
 * Bounds how long the maintenance of partitions waits for their lock, to the end of the transaction: writers wait behind it. The next run
 * tries again.
 */
export async function limitMaintenanceLockWait(sql: Sql): Promise<void> {
  await sql.rows(`select set_config('lock_timeout', '${lockWaitMs}ms', true)`);
}

/** An hour, in milliseconds: more than the clocks of an API and of the database differ by. */
export const clockMarginMs = 3_600_000;
