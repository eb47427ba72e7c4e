import { StaleAccess } from '@platform/access';
import { arrayLiteral, coalesceReads, type Parameter, type Sql, type Statements } from '@platform/postgres';
import {
  builtInCollections,
  nilUid,
  type ResourceReader,
  type SearchAccess,
  type SearchedNames,
  type SearchPage,
  type SearchPosition,
  type SearchScope,
} from '@platform/resources';
import { isBindingIn } from '../access/guard.ts';
import { storedAccessVersion } from '../access/load-access.ts';
import { boundedPage } from './bounded-page.ts';
import { oncePer } from './locate.ts';
import {
  columnsOf,
  joinedColumnsOf,
  maybeResource,
  type ResourceRow,
  resultColumns,
  storedColumnsOf,
  toResources,
} from './row.ts';
import { labelCondition, withLabels } from './selection-input.ts';

/** Searches that run at the same time: each may read a million names, one part after the other. */
const maxRunning = 2;
/** Names that one statement reads when it looks for a part of a name, in the index alone. */
const maxParts = 100_000;
/** Rows that one statement reads when it looks for a name or its beginning. */
const maxRows = 20_000;
const lastUid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type Wanted = Parameters<ResourceReader['search']>;

/** Reads resources of every kind by their names or uids. */
export function searching(statements: Statements): Pick<ResourceReader, 'search' | 'searchByUid'> {
  const run = coalesceReads<Wanted, SearchPage>(statements, {
    limits: { maxCount: 1, maxRunning },
    keyOf: () => '',
    run: async (sql, [wanted]) => [await searchPage(sql, ...(wanted as Wanted))],
  });
  return {
    search: (...wanted) => run(wanted),
    async searchByUid(scope, uid) {
      const [row] = await statements.rows<readonly [string, ...ResourceRow]>(byUidText, [
        ...scopeParameters(scope),
        uid,
      ]);
      requireCurrent(scope.access, row?.[0]);
      const found = row === undefined ? null : maybeResource(row, 1);
      return withLabels(scope.labels, found === null ? [] : [found]);
    },
  };
}

type Row = readonly [
  version: string,
  boundName: string | null,
  boundUid: string,
  followed: boolean | null,
  ...joined: readonly [number, ...ResourceRow],
];

async function searchPage(
  sql: Sql,
  scope: SearchScope,
  names: SearchedNames,
  { limit, after }: { readonly limit: number; readonly after: SearchPosition | null },
): Promise<SearchPage> {
  const { low, high } = rangeOf(names);
  const from = after ?? low;
  const [row] = await sql.rows<Row>(textOf(names.match === 'part' ? 'part' : 'range'), [
    ...scopeParameters(scope),
    ...[from.name, from.uid, high, limit + 1],
    ...(names.match === 'part' ? [names.text] : []),
  ]);
  const [version, boundName, boundUid, followed, ...joined] = row as Row;
  requireCurrent(scope.access, version);
  const found = toResources(joined, limit);
  const items = withLabels(scope.labels, found);
  const last = found.at(-1);
  if (last !== undefined && (followed === true || joined[0] > limit))
    return { items, next: { name: last.name, uid: last.uid } };
  return { items, next: boundName === null ? null : { name: boundName, uid: boundUid } };
}

/** The names that are looked at: behind `low`, up to `high`. A tilde sorts behind every character of a name. */
function rangeOf({ match, text }: SearchedNames): { readonly low: SearchPosition; readonly high: string } {
  if (match === 'whole') return { low: { name: text, uid: nilUid }, high: text };
  if (match === 'prefix') return { low: { name: text, uid: lastUid }, high: `${text}~` };
  return { low: { name: '', uid: nilUid }, high: '~' };
}

function requireCurrent(access: SearchAccess | null, stored: string | undefined): void {
  if (access !== null && access.version !== stored) throw new StaleAccess();
}

/** The parameters of {@link inScope}. */
function scopeParameters({ labels, kind, access }: SearchScope): readonly Parameter[] {
  const of = (member: 'group' | 'plural' | 'scope' | 'name') =>
    access === null ? null : arrayLiteral(access.grants.map((grant) => grant[member]));
  return [
    ...[kind?.kind ?? null, kind?.group ?? null, labelCondition(labels)],
    ...[of('group'), of('plural'), of('scope'), of('name'), access?.controllerId ?? null],
  ];
}

/** The plurals of kinds without a definition. Their names have no characters that need quoting. */
const builtInPlurals = builtInCollections
  .map(({ group, kind, plural }) => `when '${group}/${kind}' then '${plural}'`)
  .join(' ');

/** SQL for whether the row of the alias `r` is in the scope of a search. */
const inScope = `
  ($1::text is null or r.kind = $1::text) and ($2::text is null or r.api_group = $2::text)
  and ($3::text is null or r.labels @@ $3::jsonpath)
  and ($4::text[] is null or exists (
    select from (select case r.api_group || '/' || r.kind ${builtInPlurals} else d.definition_plural end as plural,
        coalesce((d.spec -> 'allowedStatusControllerIds')::jsonb ? $8::text, false) as controlled
      from (select) as one left join resources d on d.definition_group = r.api_group and d.definition_kind = r.kind) as k
    where k.controlled or exists (
      select from unnest($4::text[], $5::text[], $6::uuid[], $7::text[]) as entry(api_group, plural, scope, name)
      where (entry.api_group = '*' or entry.api_group = r.api_group) and (entry.plural = k.plural or entry.plural = '*' and k.plural is not null)
        and (entry.name is null or entry.name = r.name)
        and (entry.scope is null or entry.scope = r.uid or entry.scope = any (r.ancestor_uids) or ${isBindingIn('entry.scope')}))))`;

const byUidText = `
  select access.version, ${columnsOf('item')}
  from (select ${storedAccessVersion} as version) as access
  left join (select ${storedColumnsOf('r')} from (select * from resources where uid = $9::uuid offset 0) as r where ${inScope}) as item on true`;

/** With the condition of `resources_search`, which no other statement spells out. */
const inRange = `r.uid <> '${nilUid}' and (r.name, r.uid) > ($9::text, $10::uuid) and r.name <= $11::text`;

/** The statement for parts of names looks at more of them: most have no row to be read. */
const textOf = oncePer((key: string) => {
  const [count, matches] = key === 'part' ? [maxParts, `and strpos(r.name, $13::text) > 1`] : [maxRows, ''];
  const query = `
    select ${storedColumnsOf('r')} from (
      select r.name, r.uid from resources r where ${inRange} ${matches}
        and (r.name, r.uid) <= (coalesce((select name from bound), '~'), coalesce((select uid from bound), '${lastUid}'))
      order by r.name, r.uid
    ) as found
    cross join lateral (select * from resources r where r.uid = found.uid and ${inScope} offset 0) as r
    order by found.name, found.uid limit $12::bigint`;
  return `
    with bound as materialized (
      select r.name::text, r.uid from resources r where ${inRange} order by r.name, r.uid offset ${count - 1} limit 1
    )
    select access.version, bound.name, bound.uid, page.followed, page.count, ${resultColumns.map((column) => `page.${column}`).join(', ')}
    from (select ${storedAccessVersion} as version) as access left join bound on true
    cross join lateral (select bool_and(followed), ${joinedColumnsOf('item')} from (${boundedPage(query, 'name, uid')}) as item)
      as page (followed, count, ${resultColumns.join(', ')})`;
});
