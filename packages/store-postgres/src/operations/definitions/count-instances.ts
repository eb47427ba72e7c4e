import type { Sql } from '@platform/postgres';
import type { GroupKind } from '@platform/resources';

/**
 * Locks a definition and counts the rows of its kind by stored version, up to `limit` of each. Two statements: the count needs a snapshot
 * taken after the writes that held the definition have ended.
 */
export async function countInstances(
  sql: Sql,
  definitionUid: string,
  { group, kind }: GroupKind,
  limit: number,
): Promise<ReadonlyMap<string, number>> {
  await sql.rows('select from resources where uid = $1::uuid for update', [definitionUid]);
  return new Map(await sql.rows<readonly [string, number]>(text, [group, kind, limit]));
}

const isOfKind = (row: string) => `${row}.api_group || '/' || ${row}.kind = $1::text || '/' || $2::text`;

// Steps from one version to the next in the index, so that the cost depends on the versions and the limit, not on the rows of the kind.
const text = `
  with recursive version (api_version) as (
    (select r.api_version from resources r where ${isOfKind('r')} order by r.api_version limit 1)
    union all
    select (
      select r.api_version from resources r
      where ${isOfKind('r')} and r.api_version > version.api_version
      order by r.api_version limit 1
    ) from version where version.api_version is not null
  )
  select api_version, (
    select count(*) from (
      select from resources r
      where ${isOfKind('r')} and r.api_version = version.api_version
      limit $3::bigint
    ) as counted
  ) from version where api_version is not null`;
