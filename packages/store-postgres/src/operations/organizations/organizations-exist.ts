import type { Sql } from '@platform/postgres';

// Group and kind are parameters: as in lock-organization.ts.
const organizations = 'resources where parent_uid is null and api_group = $1::text and kind = $2::text';
const identity = ['platform.dev', 'Organization'];

/** Whether any Organization is stored, or one of the name; tombstoned ones count. */
export async function organizationsExist(sql: Sql, name: string | null): Promise<boolean> {
  const [row] =
    name === null
      ? await sql.rows<readonly [boolean]>(`select exists (select from ${organizations})`, identity)
      : await sql.rows<readonly [boolean]>(
          `select exists (select from ${organizations} and name = $3::text)`,
          [...identity, name],
        );
  return row?.[0] === true;
}
