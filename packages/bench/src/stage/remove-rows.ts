import type { Sql } from 'postgres';
import { group } from './kinds.ts';

/**
 * Removes rows below the roots whose names begin with a prefix, so that a table keeps its size whatever the cases make.
 * Collectors are not woken: nothing waits for these rows.
 */
export async function removeRows(sql: Sql, kind: string, prefix: string): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`set local platform.collecting = 'on'`;
    // Names are compared byte by byte; a range of them takes the index below each root.
    await transaction`
      delete from resources where parent_uid = any(array(
          select uid from resources where parent_uid is null and api_group = ${group} and kind = 'Level0' and name like 'root-%'))
        and api_group = ${group} and kind = ${kind} and name >= ${prefix} and name < ${`${prefix}~`}`;
  });
}
