import type { Sql } from '../../connection.ts';
import { wakeCollector } from '../../wake-channel.ts';

/** Deletes a row. What it blocked may be free now, so the collector is told. */
export async function removeRow(sql: Sql, uid: string): Promise<void> {
  await sql.rows(`delete from resources where uid = $1::uuid returning ${wakeCollector}`, [uid]);
}
