import type { Sql } from '@platform/postgres';
import {
  type BlockerReport,
  type DefinitionVersion,
  type ResourceRef,
  StaleDefinitions,
} from '@platform/resources';
import { blocksOwner, isChildOf, isOwnedBy } from './dependents.ts';
import { locate, oncePerShape, parametersFrom } from './locate.ts';
import { columnsOf, resourceWidth, toResource } from './row.ts';

/** Reads a row together with what blocks its collection, from one snapshot. */
export async function reportBlockers(
  sql: Sql,
  ref: ResourceRef,
  limit: number,
  definition: DefinitionVersion,
): Promise<BlockerReport | { outcome: 'missing' }> {
  const located = locate(ref);
  const rows = await sql.rows(textOf(located), [limit + 1, definition?.uid ?? null, ...located.parameters]);
  const first = rows[0] ?? [];
  const [seen, structural] = [2 * resourceWidth, 2 * resourceWidth + 1];
  if (definition !== null && first[seen] !== definition.version) throw new StaleDefinitions();
  if (first[0] === null) return { outcome: 'missing' };
  const blockers = first[resourceWidth] === null ? [] : rows;
  return {
    outcome: 'report',
    resource: toResource(first),
    blockers: blockers.slice(0, limit).map((row) => ({
      relationship: row[structural] ? 'structuralChild' : 'ownerReference',
      resource: toResource(row, resourceWidth),
    })),
    truncated: blockers.length > limit,
  };
}

/** Sorts keys alone and fetches the rows of those that are reported: a parent may have a hundred thousand children. */
const textOf = oncePerShape(
  (located) => `
    select ${columnsOf('target')}, ${columnsOf('blocker')}, definition.version, blocks.structural
    from (select (select definition_version from resources where uid = $2::uuid) as version) as definition
    left join lateral (select * from resources r where ${located.condition(parametersFrom(3))}) as target on true
    left join lateral (
      select * from (
        select c.uid, c.api_version, c.kind, c.name, true as structural
        from resources c where ${isChildOf('target.uid', 'c')}
        union all
        select o.uid, o.api_version, o.kind, o.name, false
        from resources o where ${isOwnedBy('target.uid', 'o')} and ${blocksOwner('target.uid', 'o')}
          and o.parent_uid is distinct from target.uid
      ) as each
      order by structural desc, api_version, kind, name, uid limit $1::bigint
    ) as blocks on true
    left join lateral (select * from resources b where b.uid = blocks.uid) as blocker on true
    order by blocks.structural desc, blocks.api_version, blocks.kind, blocks.name, blocks.uid`,
);
