import type { Sql } from '@platform/postgres';
import type { GroupKind } from '@platform/resources';

/**
 * Locks a definition and counts the rows of its kind by stored version. Two statements: the count needs a snapshot taken
 * once the writes that held the definition have ended.
 */
export async function countInstances(
  sql: Sql,
  definitionUid: string,
  { group, kind }: GroupKind,
): Promise<ReadonlyMap<string, number>> {
  await sql.rows('select from resources where uid = $1::uuid for update', [definitionUid]);
  return new Map(
    await sql.rows<readonly [string, number]>(
      `select api_version, count(*) from resources where api_group || '/' || kind = $1::text || '/' || $2::text group by api_version`,
      [group, kind],
    ),
  );
}
