import { advisoryLock } from '../../advisory-locks.ts';
import type { Sql } from '../../connection.ts';

/** Makes writers of definitions go one after the other: held to the end of the transaction. */
export async function lockCatalog(sql: Sql): Promise<void> {
  await sql.rows(`select ${advisoryLock.catalog}::text`);
}
