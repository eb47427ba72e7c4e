import type { Sql } from '@platform/postgres';
import type { GroupKind } from '@platform/resources';

/** The length of the longest chain of definitions below a kind, at most `limit`. */
export async function heightBelow(sql: Sql, { group, kind }: GroupKind, limit: number): Promise<number> {
  const [row] = await sql.rows<readonly [number]>(text, [group, kind, limit]);
  return row?.[0] ?? 0;
}

/** Definitions are few and their parents are not indexed: they are read once, then walked in memory. */
const text = `
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
