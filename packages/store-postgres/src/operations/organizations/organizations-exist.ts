import type { Sql } from '../../connection.ts';

const organizations = `resources where parent_uid is null and api_group = 'platform.dev' and kind = 'Organization'`;

/** Whether any Organization is stored, or one of the name; tombstoned ones count. */
export async function organizationsExist(sql: Sql, name: string | null): Promise<boolean> {
  const [row] =
    name === null
      ? await sql.rows<readonly [boolean]>(`select exists (select from ${organizations})`)
      : await sql.rows<readonly [boolean]>(
          `select exists (select from ${organizations} and name = $1::text)`,
          [name],
        );
  return row?.[0] === true;
}
