import type { GroupKind, Resource } from '@platform/resources';
import type { Sql } from '../../connection.ts';
import { columnsOf, maybeResource, toResource } from '../resources/row.ts';

/** SQL of a recursive table `chain`: the definitions that `start` selects, and those above them, nearest first. */
function chainFrom(start: string, limit: string): string {
  return `recursive chain as (
    select 1 as height, d.* from resources d where ${start} and ${limit} > 0
    union all
    select height + 1, above.* from chain join resources above
      on above.definition_group = split_part(chain.spec -> 'parent' ->> 'apiVersion', '/', 1)
      and above.definition_kind = chain.spec -> 'parent' ->> 'kind'
    where height < ${limit}
  )`;
}

/** Reads the definition of a kind and those above it, itself first. The limit also ends a circle that was made in the database. */
export async function definitionChain(
  sql: Sql,
  { group, kind }: GroupKind,
  limit: number,
): Promise<readonly Resource[]> {
  const rows = await sql.rows(byKindText, [group, kind, limit]);
  return rows.map((row) => toResource(row));
}

/** Reads the definition of a collection and those above it, with the epoch of the same snapshot. */
export async function loadDefinitions(
  sql: Sql,
  group: string,
  plural: string,
  limit: number,
): Promise<{ readonly epoch: number; readonly chain: readonly Resource[] }> {
  const rows = await sql.rows(byPluralText, [group, plural, limit]);
  const chain = rows.flatMap((row) => maybeResource(row, 1) ?? []);
  return { epoch: rows[0]?.[0] as number, chain };
}

const byKindText = `
  with ${chainFrom('d.definition_group = $1::text and d.definition_kind = $2::text', '$3::int')}
  select ${columnsOf('chain')} from chain order by height`;

const byPluralText = `
  with ${chainFrom('d.definition_group = $1::text and d.definition_plural = $2::text', '$3::int')}
  select catalog.epoch, ${columnsOf('chain')}
  from (select epoch from catalog_epoch where singleton) as catalog left join chain on true order by height`;
