import type { Sql } from '@platform/postgres';
import { advisoryLock } from '../../advisory-locks.ts';

/** Makes writers of definitions run one after the other: the lock is held to the end of the transaction. */
export async function lockCatalog(sql: Sql): Promise<void> {
  await sql.rows(`select ${advisoryLock.catalog}::text`);
}

/** Locks a definition against writes of its instances and of itself; its revision, or null when it is gone. */
export async function lockDefinition(sql: Sql, uid: string): Promise<number | null> {
  const [row] = await sql.rows<readonly [number]>(
    'select revision from resources where uid = $1::uuid for update',
    [uid],
  );
  return row?.[0] ?? null;
}
