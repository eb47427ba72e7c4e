import type { Sql } from '@platform/postgres';
import { advisoryLock } from '../../advisory-locks.ts';

/** Makes racing replicas bootstrap one after the other: held to the end of the transaction. */
export async function lockBootstrap(sql: Sql): Promise<void> {
  await sql.rows(`select ${advisoryLock.bootstrap}::text`);
}
