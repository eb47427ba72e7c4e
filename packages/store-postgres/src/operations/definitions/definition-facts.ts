import type { Sql } from '@platform/postgres';
import type { GroupKind, Resource } from '@platform/resources';
import { advisoryLock } from '../../advisory-locks.ts';
import { columnsOf, toResource } from '../resources/row.ts';

/** Makes writers of definitions run one after the other: the lock is held to the end of the transaction. */
export async function lockCatalog(sql: Sql): Promise<void> {
  await sql.rows(`select ${advisoryLock.catalog}::text`);
}

/** Locks a definition against writes of its instances and of itself; its revision, or null when it is gone. */
export async function lockDefinition(sql: Sql, uid: string): Promise<number | null> {
  const [row] = await sql.rows<readonly [number]>(
    'select revision from resources where uid = $1::uuid for update',
    [uid],
  );
  return row?.[0] ?? null;
}

/** Reads the definitions that claim a plural, or a group and kind. */
export async function claiming(
  sql: Sql,
  plural: string,
  { group, kind }: GroupKind,
  exceptUid: string | null,
): Promise<readonly Resource[]> {
  const rows = await sql.rows(claimingText, [plural, group, kind, exceptUid]);
  return rows.map((row) => toResource(row));
}

const claimingText = `
  select ${columnsOf('r')} from resources r
  where (definition_plural = $1::text or (definition_group = $2::text and definition_kind = $3::text))
    and uid is distinct from $4::uuid
  order by name`;

/** The length of the longest chain of definitions below a kind, at most `limit`. */
export async function heightBelow(sql: Sql, { group, kind }: GroupKind, limit: number): Promise<number> {
  const [row] = await sql.rows<readonly [number]>(heightText, [group, kind, limit]);
  return row?.[0] ?? 0;
}

/** Definitions are few and their parents are not indexed: they are read once, then walked in memory. */
const heightText = `
  with recursive edge as materialized (
    select definition_group || ' ' || definition_kind as kind, definition_parent as parent
    from resources where definition_kind is not null
  ),
  below as (
    select kind, 1 as height from edge where parent = $1::text || ' ' || $2::text and $3::int > 0
    union all
    select edge.kind, height + 1 from below join edge on edge.parent = below.kind
    where height < $3::int
  )
  select coalesce(max(height), 0) from below`;

/** SQL for whether a row is of the group and kind of the first two parameters, as the index over versions has them. */
const isOfKind = (row: string) => `${row}.api_group || '/' || ${row}.kind = $1::text || '/' || $2::text`;

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
  return new Map(await sql.rows<readonly [string, number]>(countText, [group, kind, limit]));
}

// Steps from one version to the next in the index, so that the cost depends on the versions and the limit, not on the rows of the kind.
const countText = `
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

/** The kind of the parent of one row of a kind, null at the root; undefined when there are no rows. All rows of a kind have the same. */
export async function parentOfInstances(
  sql: Sql,
  { group, kind }: GroupKind,
): Promise<GroupKind | null | undefined> {
  const [row] = await sql.rows<readonly [string | null, string | null]>(parentText, [group, kind]);
  if (row === undefined) return undefined;
  const [parentGroup, parentKind] = row;
  return parentGroup === null || parentKind === null ? null : { group: parentGroup, kind: parentKind };
}

// The order keeps the planner at the index, which has the versions of a kind in this order.
const parentText = `
  select above.api_group, above.kind
  from (
    select r.parent_uid from resources r
    where ${isOfKind('r')} order by r.api_version limit 1
  ) instance
  left join resources above on above.uid = instance.parent_uid`;
