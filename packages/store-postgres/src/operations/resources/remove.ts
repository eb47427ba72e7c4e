import type { Sql } from '@platform/postgres';

/** Deletes a row. */
export async function removeRow(sql: Sql, uid: string): Promise<void> {
  await sql.rows('delete from resources where uid = $1::uuid', [uid]);
}
