import type { Ticks } from '@platform/change-log';
import { arrayLiteral, type Sql } from '@platform/postgres';
import { type HistoryEntry, platformGroup, type ResourceHistory } from '@platform/resources';
import { boundedPage, wholePage } from '../resources/bounded-page.ts';
import { loggedColumnsOf, loggedScalarsOf, maybeResource, storedColumnsOf } from '../resources/row.ts';
import { cursorOf } from './cursor.ts';
import { entryColumns, entryWidth, toEntry } from './entry.ts';

/** The change log by resource. An entry that no tick shows yet gets one, so that it has a cursor. */
export function createHistory(sql: Sql, ticks: Pick<Ticks, 'tick'>): ResourceHistory {
  const read = async (text: string, parameters: readonly (string | number | null)[]) => {
    const entries = toEntries(await sql.rows(text, parameters));
    if (entries.every(({ cursor }) => cursor !== null)) return entries;
    await ticks.tick();
    return toEntries(await sql.rows(text, parameters));
  };
  return {
    entries: (uid, { limit, before, scopes }) =>
      read(entriesText, [uid, before?.revision ?? null, before?.seq ?? null, limit, scopesLiteral(scopes)]),
    async at(uid, revision, scopes) {
      const [row] = await sql.rows(atText, [uid, revision, scopesLiteral(scopes)]);
      return row === undefined ? null : maybeResource(row);
    },
    recent: ({ ancestors, without }, { limit, among }) =>
      read(recentText, [
        ...[platformGroup, without, among, limit],
        ancestors === null ? null : JSON.stringify(ancestors),
      ]),
    removals: ({ group, kind, parentUid, scopes }, { limit, before }) =>
      parentUid === null
        ? read(removalsText(`c.parent_uid is null and ${wasInScope('c', '$5')}`), [
            ...[kind, group, before, limit],
            scopesLiteral(scopes),
          ])
        : read(removalsText('c.parent_uid = $5::uuid'), [kind, group, before, limit, parentUid]),
  };
}

const scopesLiteral = (scopes: readonly string[] | null) => (scopes === null ? null : arrayLiteral(scopes));

/** SQL for whether the state was in one of the scopes in the parameter. A binding whose scope no longer exists grants nothing. */
const wasInScope = (alias: string, scopes: string) =>
  `(${scopes}::uuid[] is null or ${alias}.scope_uids && array(select uid from resources where uid = any(${scopes}::uuid[])))`;

/** The entries of a page. A page that was cut ends with a row that another one follows. */
function toEntries(rows: readonly (readonly unknown[])[]): readonly HistoryEntry[] {
  const entries = rows.map(toHistoryEntry);
  const last = entries.at(-1);
  const isCut = last !== undefined && rows.at(-1)?.[placeWidth - 1] === true;
  return isCut ? [...entries.slice(0, -1), { ...last, endsPage: true }] : entries;
}

/** The columns: the place in the log, whether another row follows, those of the entry, and the resource before. */
function toHistoryEntry(row: readonly unknown[]): HistoryEntry {
  const [tick, mark, store] = row as [number | null, number, string];
  const entry = toEntry(row, placeWidth);
  const place = tick === null ? null : { tick, seq: entry.seq };
  return {
    ...entry,
    cursor: place === null ? null : cursorOf({ store, mark }, place, null).text,
    previous: maybeResource(row, placeWidth + entryWidth),
  };
}

const placeWidth = 4;

/**
 * SQL for the tick of the entry `entry`: the first one that shows it. It is the first one by time, which an index finds. Unless the clock was set
 * back near it: then the one before that shows the entry, too, and the first is searched by halves.
 */
const tickOfEntry = `
  left join lateral (
    select coalesce((
        select t.tick from change_ticks t
        where t.time >= entry.time - interval '1 second' and pg_visible_in_snapshot(entry.xid, t.snapshot)
        order by t.time limit 1), (
        select l.tick from change_log l where l.singleton and pg_visible_in_snapshot(entry.xid, l.snapshot))) as tick
  ) as late on true
  left join lateral (
    with recursive search (low, high) as (
      select (select min(tick) from change_ticks), late.tick
      where (select pg_visible_in_snapshot(entry.xid, b.snapshot) from change_ticks b where b.tick = late.tick - 1)
      union all
      select case when half.shows then s.low else s.middle + 1 end, case when half.shows then s.middle else s.high end
      from (select low, high, (low + high) / 2 as middle from search where low < high) as s
      cross join lateral (
        select (select pg_visible_in_snapshot(entry.xid, b.snapshot) from change_ticks b where b.tick = s.middle) as shows
      ) as half
    )
    select low as tick from search where low = high
  ) as first on true
  left join lateral (
    select tick, mark from change_ticks where tick = coalesce(first.tick, late.tick) offset 0
  ) as t on true`;

/** SQL for the columns of {@link toHistoryEntry}: the entries of `query` in `order`, each with its state before, `p`, where `shown` is true of it. */
const textOf = (query: string, order: readonly string[], shown = 'true', entry = entryColumns('entry')) => `
  select t.tick, t.mark, (select left(l.store::text, 8) from change_log l where l.singleton), entry.followed,
    ${entry}, ${loggedColumnsOf('previous')}
  from (${query}) as entry
  ${tickOfEntry}
  left join lateral (
    select ${storedColumnsOf('p')} from changes p
    where p.uid = entry.uid and p.revision = case when entry.removed then entry.revision else entry.revision - 1 end and not p.removed
      and ${shown}
    limit 1
  ) as previous on true
  order by ${order.map((column) => `entry.${column} desc`).join(', ')}`;

const entriesText = textOf(
  boundedPage(
    `select c.* from changes c
  where c.uid = $1::uuid and ($2::bigint is null or (c.revision, c.seq) < ($2::bigint, $3::bigint)) and ${wasInScope('c', '$5')}
  order by c.revision desc, c.seq desc limit $4::bigint`,
    'revision desc, seq desc',
  ),
  ['revision', 'seq'],
  wasInScope('p', '$5'),
);

const atText = `
  select ${loggedColumnsOf('c')} from changes c where c.uid = $1::uuid and c.revision = $2::bigint and ${wasInScope('c', '$3')} limit 1`;

// The inner limit bounds the work, however few entries are in scope. Nothing that may be large is read.
const recentText = textOf(
  wholePage(`select c.* from (select * from changes order by time desc, seq desc limit $3::bigint) as c
  where not (c.kind = $2::text and split_part(c.api_version, '/', 1) = $1::text)
    and ($5::jsonb is null or to_jsonb(c.ancestors) in (select jsonb_array_elements($5::jsonb)))
  order by c.time desc, c.seq desc limit $4::bigint`),
  ['time', 'seq'],
  'false',
  entryColumns('entry', loggedScalarsOf('entry')),
);

const removalsText = (parent: string) =>
  textOf(
    boundedPage(
      `select c.* from changes c
    where c.removed and ${parent} and c.kind = $1::text and split_part(c.api_version, '/', 1) = $2::text
      and ($3::bigint is null or c.seq < $3::bigint)
    order by c.seq desc limit $4::bigint`,
      'seq desc',
    ),
    ['seq'],
  );
