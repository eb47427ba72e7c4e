import type { Sql } from '../../connection.ts';

/** The number of changes that the definitions have seen. */
export async function readEpoch(sql: Sql): Promise<number> {
  const [row] = await sql.rows<readonly [number]>('select epoch from catalog_epoch where singleton');
  if (row === undefined) throw new Error('the row of catalog_epoch is gone');
  return row[0];
}
