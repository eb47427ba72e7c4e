import type { GroupKind } from '@platform/resources';
import type { Sql } from '../../connection.ts';

/** The length of the longest chain of definitions below a kind, at most `limit`. */
export async function heightBelow(sql: Sql, { group, kind }: GroupKind, limit: number): Promise<number> {
  const [row] = await sql.rows<readonly [number]>(text, [group, kind, limit]);
  return row?.[0] ?? 0;
}

/** Definitions are few and their parents are not indexed: they are read once, then walked in memory. */
const text = `
  with recursive edge as materialized (
    select definition_group, definition_kind,
      split_part(spec -> 'parent' ->> 'apiVersion', '/', 1) as parent_group, spec -> 'parent' ->> 'kind' as parent_kind
    from resources where definition_kind is not null
  ),
  below as (
    select definition_group, definition_kind, 1 as height from edge
    where parent_group = $1::text and parent_kind = $2::text and $3::int > 0
    union all
    select edge.definition_group, edge.definition_kind, height + 1 from below join edge
      on edge.parent_group = below.definition_group and edge.parent_kind = below.definition_kind
    where height < $3::int
  )
  select coalesce(max(height), 0) from below`;
