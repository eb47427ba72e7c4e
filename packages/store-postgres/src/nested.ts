import type { Sql } from '@platform/postgres';

/**
 * Runs a part of a transaction: when it rejects, its writes are undone, and those of the transaction before it stay. A failed statement
 * fails the transaction as a whole, so only refusals come back from here to a transaction that goes on.
 */
export async function nested<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  // Savepoints of one name are a stack.
  await sql.rows('savepoint nested');
  try {
    const value = await work();
    await sql.rows('release savepoint nested');
    return value;
  } catch (error) {
    // After a failed statement these fail too; the first error says why.
    await sql.rows('rollback to savepoint nested').catch(() => undefined);
    await sql.rows('release savepoint nested').catch(() => undefined);
    throw error;
  }
}
