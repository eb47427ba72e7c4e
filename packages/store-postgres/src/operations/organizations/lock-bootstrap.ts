import { advisoryLock } from '../../advisory-locks.ts';
import type { Sql } from '../../connection.ts';

/** Makes racing replicas bootstrap one after the other: held to the end of the transaction. */
export async function lockBootstrap(sql: Sql): Promise<void> {
  await sql.rows(`select ${advisoryLock.bootstrap}::text`);
}
