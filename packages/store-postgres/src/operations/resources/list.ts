import type { CatalogEpoch, CatalogMoved, CollectionRef, Page } from '@platform/resources';
import type { Sql } from '../../connection.ts';
import { boundedPage, lightPage, wholePage } from './bounded-page.ts';
import { parametersFrom, pathUid, stepParameters, textPer } from './locate.ts';
import { joinedItemColumnsOf, type ResourceRow, storedColumnsOf, toItems } from './row.ts';

/** Reads one page of a collection by keyset: names after `after`, in byte order. A page of large documents ends early. */
export async function listPage(
  sql: Sql,
  collection: CollectionRef,
  page: { readonly limit: number; readonly after: string | null },
  epoch: CatalogEpoch,
): Promise<Page | { outcome: 'ancestorMissing' } | CatalogMoved> {
  const { ancestors, group, kind } = collection;
  const text = page.limit <= lightPage ? wholeText : boundedText;
  const rows = await sql.rows(text(ancestors.length), [
    group,
    kind,
    page.after ?? '',
    page.limit + 1,
    ...stepParameters(ancestors),
  ]);
  const [[seen, parentUid, followed, ...joined]] = rows as [Row];
  if (epoch !== null && seen !== epoch) return { outcome: 'catalogMoved' };
  if (ancestors.length > 0 && parentUid === null) return { outcome: 'ancestorMissing' };
  const items = toItems(joined, page.limit, { kind, parentUid });
  return { outcome: 'page', items, more: followed === true || joined[0] > page.limit };
}

type Row = readonly [
  epoch: number,
  parentUid: string | null,
  followed: boolean | null,
  count: number,
  ...joined: ResourceRow,
];

/** Aggregates take the rows in the order of the index, which `order by` inside asks for; sorting again would copy them. */
function textOf(depth: number, pageOf: (query: string, order: string) => string): string {
  const parent = depth === 0 ? 'parent_uid is null' : 'parent_uid = place.parent_uid';
  const query = `
    select ${storedColumnsOf('r')} from resources r
    where ${parent} and api_group = $1::text and kind = $2::text and name > $3::text
    order by name limit $4::bigint`;
  return `
    select place.epoch, place.parent_uid, page.*
    from (
      select epoch, ${pathUid(depth, parametersFrom(5))} as parent_uid from catalog_epoch where singleton
    ) as place
    cross join lateral (select bool_and(followed), ${joinedItemColumnsOf('item')} from (${pageOf(query, 'name')}) as item) as page`;
}

const wholeText = textPer((depth: number) => textOf(depth, wholePage));
const boundedText = textPer((depth: number) => textOf(depth, boundedPage));
