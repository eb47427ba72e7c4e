import type { Sql } from '@platform/postgres';

/**
 * Deletes at most `limit` names of projects that were deleted before the time, oldest first, and returns how many. Creating a project
 * compares the time itself, so a name is free without this.
 */
export async function deleteFreeNames(sql: Sql, deletedBefore: string, limit: number): Promise<number> {
  return (await sql.rows(text, [deletedBefore, limit])).length;
}

// Rows that another transaction has locked are skipped: it deletes them, or reserves the name again.
const text = `
  delete from reserved_project_names where name = any (array(
    select name from reserved_project_names where deleted_at <= $1::timestamptz order by deleted_at
    limit $2::bigint for update skip locked))
  returning name`;
