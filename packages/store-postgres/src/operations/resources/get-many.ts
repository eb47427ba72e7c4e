import type { Resource, ResourceRef } from '@platform/resources';
import type { Sql } from '../../connection.ts';
import { arrayLiteral } from '../../literals.ts';
import { type Located, locate, textPerShape } from './locate.ts';
import { columnsOf, maybeResource } from './row.ts';

/** What a point read found, and the epoch at which it looked. */
export interface Found {
  readonly epoch: number;
  readonly resource: Resource | null;
}

/** Reads the rows that references of one shape name, in their order, in one statement and from one snapshot. */
export async function getMany(sql: Sql, refs: readonly ResourceRef[]): Promise<readonly Found[]> {
  const located = refs.map(locate);
  const first = located[0];
  if (first === undefined) return [];
  const columns = first.parameters.map((_, index) =>
    arrayLiteral(located.map((each) => each.parameters[index] as string)),
  );
  const rows = await sql.rows(textOf(first), columns);
  return rows.map((row) => ({ epoch: row[0] as number, resource: maybeResource(row, 1) }));
}

const textOf = textPerShape((located: Located) => {
  const names = located.parameters.map((_, index) => `p${index}`);
  const arrays = located.parameters.map((_, index) => `$${index + 1}::text[]`);
  return `
    select epoch, ${columnsOf('found')}
    from unnest(${arrays.join(', ')}) with ordinality as wanted(${names.join(', ')}, place)
    cross join (select epoch from catalog_epoch where singleton) as catalog
    left join lateral (
      select * from resources r where ${located.condition((index) => `wanted.p${index}`)}
    ) as found on true
    order by place`;
});
