import type { Sql } from '../../connection.ts';

/** Whether some project's URL has exactly that origin. */
export async function isProjectOrigin(sql: Sql, origin: string): Promise<boolean> {
  const [row] = await sql.rows<readonly [boolean]>(
    'select exists (select from projects where url_origin = $1::text)',
    [origin],
  );
  return row?.[0] === true;
}
