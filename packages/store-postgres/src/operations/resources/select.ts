import { arrayLiteral, coalesceReads, type Sql, type Statements } from '@platform/postgres';
import {
  anyName,
  type DefinitionVersion,
  isUnrestricted,
  nilUid,
  type PagePosition,
  positionOf,
  type SelectedPage,
  type Selection,
  StaleDefinitions,
  scopesOf,
} from '@platform/resources';
import { admittedSelection } from '../access/guard.ts';
import { cursorColumn, cursorOfRead } from '../change-log/cursor.ts';
import { boundedPage } from './bounded-page.ts';
import { oncePer, parametersFrom, pathUid } from './locate.ts';
import { deletedAt } from './pending-cascades.ts';
import { joinedColumnsOf, type ResourceRow, resultColumns, storedColumnsOf, toResources } from './row.ts';
import { arrayOrNull, type Driver, isFiltered, selectionInput, withLabels } from './selection-input.ts';

/** Selected pages that are read at the same time: each may have 16 MiB. */
const maxRunning = 3;
/** Entries of an index that one page looks at. A page that finds too little among them ends early, so no request reads a whole table. */
const maxScanned = 20_000;
/** Entries of one set of labels that are counted to compare it with the others. */
const maxCounted = 5_000;

/** A requested page. */
export interface SelectedRange {
  readonly limit: number;
  readonly after: PagePosition | null;
}

/** Reads a page of the resources that a selection shows. */
export type SelectPage = (
  selection: Selection,
  page: SelectedRange,
  definition: DefinitionVersion,
) => Promise<SelectedPage | { outcome: 'ancestorMissing' }>;

export function selecting(statements: Statements): SelectPage {
  type Wanted = Parameters<SelectPage>;
  const run = coalesceReads<Wanted, Awaited<ReturnType<SelectPage>>>(statements, {
    limits: { maxCount: 1, maxRunning },
    keyOf: () => '',
    run: async (sql, [wanted]) => [await selectPage(sql, ...(wanted as Wanted))],
  });
  return (...wanted) => run(wanted);
}

type Row = readonly [
  version: string | null,
  read: string,
  parentUid: string | null,
  admitted: boolean,
  followed: boolean | null,
  boundPath: string | null,
  boundName: string,
  boundUid: string,
  ...joined: readonly [number, ...ResourceRow],
];

async function selectPage(
  sql: Sql,
  selection: Selection,
  { limit, after }: SelectedRange,
  definition: DefinitionVersion,
): Promise<SelectedPage | { outcome: 'ancestorMissing' }> {
  const input = selectionInput(selection);
  const { driver, start, prefix, low, high, labels, fields, names, scopes } = input;
  const from = after ?? { ...low, uid: nilUid };
  const { guard } = selection;
  const rows = await sql.rows<Row>(
    textOf(`${driver} ${isFiltered(input)} ${prefix.length} ${guardingOf(selection)}`),
    [
      ...[definition?.uid ?? null, selection.collection.group, selection.collection.kind],
      ...[from.path, from.name, from.uid, high.path, high.name, limit + 1, labels],
      ...[arrayLiteral(fields.map(({ field }) => field)), arrayLiteral(fields.map(({ equal }) => equal))],
      ...[arrayLiteral(fields.map(({ value }) => value)), arrayOrNull(names), arrayOrNull(scopes), start],
      ...prefix.flatMap(({ group, kind, name }) => [group, kind, name]),
      ...(guard === undefined
        ? []
        : [guard.version, isUnrestricted(guard) ? null : arrayLiteral(scopesOf(guard))]),
    ],
  );
  const [version, read, parentUid, admitted, followed, boundPath, boundName, boundUid, ...joined] =
    rows[0] as Row;
  if (definition !== null && definition.version !== version) throw new StaleDefinitions();
  if (!admitted || (prefix.length > 0 && parentUid === null)) return { outcome: 'ancestorMissing' };
  const found = toResources(joined, limit);
  const items = withLabels(selection.labels, found);
  const last = found.at(-1);
  const { text: cursor } = cursorOfRead(read);
  if (last !== undefined && (followed === true || joined[0] > limit))
    return { outcome: 'page', items, next: positionOf(last), cursor };
  return {
    outcome: 'page',
    items,
    next: boundPath === null ? null : { path: boundPath, name: boundName, uid: boundUid },
    cursor,
  };
}

const afterStart = (path: string, alias: string) =>
  `(${path}, ${alias}.name, ${alias}.uid) > ($4::text, $5::text, $6::uuid) and (${path}, ${alias}.name) <= ($7::text, $8::text)`;
const ofKind = (alias: string) => `${alias}.api_group = $2::text and ${alias}.kind = $3::text`;
/** As `resources_by_path` spells it. */
const inCollection = `r.kind || '.' || r.api_group = $3::text || '.' || $2::text`;
const rowPath = 'ancestor_path(r.ancestors)';
const entryOf = (label: string) => `l.label = ${label} and ${ofKind('l')} and ${afterStart('l.path', 'l')}`;
const untilBound = (path: string, alias: string) =>
  `and (${path}, ${alias}.name, ${alias}.uid) <= ((select path from until), (select name from until), (select uid from until))`;

const matches = `
  ($10::text is null or r.labels @@ $10::jsonpath)
  and ($14::text[] is null or not exists (
    select from unnest($14::text[]) with ordinality as wanted(name, place)
    where wanted.name <> '-' and r.ancestors[wanted.place] is distinct from wanted.name))
  and ($15::uuid[] is null or r.uid = any($15::uuid[]) or r.ancestor_uids && $15::uuid[] or r.scope_uids && array(select s.uid from resources s where s.uid = any($15::uuid[])))
  and ($11::text[] = '{}' or not exists (
    select from unnest($11::text[], $12::boolean[], $13::text[]) as wanted(field, equal, value)
    where wanted.equal <> case wanted.field
      when 'metadata.name' then r.name = wanted.value
      when 'metadata.uid' then r.uid::text = wanted.value
      when 'metadata.deletionTimestamp' then coalesce(
        to_char((${deletedAt('r')}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '') = wanted.value
      when 'metadata.ownerReferences.uid' then case wanted.value when '' then r.owner_references::jsonb = '[]'::jsonb
        else wanted.value = any(owner_uids(r.owner_references::jsonb)::text[]) end
      else coalesce(case when json_typeof(r.spec #> string_to_array(substr(wanted.field, 6), '.')) in ('string', 'number', 'boolean')
        then r.spec #>> string_to_array(substr(wanted.field, 6), '.') end, '') = wanted.value
    end))`;

/** How a guard is compared: not at all, with a collection as a whole, or with what it may show parts of. */
type Guarding = 'unguarded' | 'whole' | 'part';

function guardingOf({ guard, collection: { ancestors } }: Selection): Guarding {
  if (guard === undefined) return 'unguarded';
  return ancestors.length === 0 || ancestors.some(({ name }) => name === anyName) ? 'part' : 'whole';
}

/** SQL for whether the guard, whose parameters are behind those of the ancestors, lets the selection through. */
function admittedBy(guarding: Guarding, depth: number): string {
  if (guarding === 'unguarded') return 'true';
  const first = 17 + 3 * depth;
  const parent = depth === 0 ? null : pathUid(depth, parametersFrom(17));
  return admittedSelection(parent, guarding === 'part', `$${first}`, `$${first + 1}`);
}

/** The statement; the key has the driver, whether it is filtered, the number of ancestors that are named, and how a guard is compared. */
const textOf = oncePer((key: string) => {
  const [driver, filtered, depth, guarding] = key.split(' ') as [Driver, string, string, Guarding];
  const isBounded = filtered === 'true';
  const page = boundedPage(queryOf(driver, isBounded), 'ancestor_path(ancestors), name, uid');
  return `
    with place as (
      select ${pathUid(Number(depth), parametersFrom(17))} as parent_uid,
        ${admittedBy(guarding, Number(depth))} as admitted${driver === 'collection' ? ', $16::text as unused' : ''}
    ),
    ${driver === 'labels' ? `driver as materialized (${cheapestLabels}),` : ''}
    bound as materialized (${isBounded ? boundOf(driver) : 'select null::text as path, null::text as name, null::uuid as uid'}),
    until as materialized (select coalesce(bound.path, '~') as path, coalesce(bound.name, '~') as name,
      coalesce(bound.uid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as uid from (select) as one left join bound on true)
    select (select d.definition_version from resources d where d.uid = $1::uuid), ${cursorColumn}, place.parent_uid, place.admitted, page.followed,
      bound.path, bound.name, bound.uid, page.count, ${resultColumns.map((column) => `page.${column}`).join(', ')}
    from place left join bound on true
    cross join lateral (select bool_and(followed), ${joinedColumnsOf('item')} from (${page}) as item)
      as page (followed, count, ${resultColumns.join(', ')})`;
});

function queryOf(driver: Driver, isBounded: boolean): string {
  const columns = storedColumnsOf('r');
  const order = `${rowPath}, r.name, r.uid`;
  switch (driver) {
    case 'labels':
      return `
        select ${columns} from driver cross join unnest(driver.labels) as each(label)
        cross join lateral (
          select r.* from resource_labels l
          cross join lateral (select * from resources r where r.uid = l.uid and ${matches} offset 0) as r
          where ${entryOf('each.label')} ${isBounded ? untilBound('l.path', 'l') : ''}
          order by l.path, l.name, l.uid limit $9::bigint
        ) as r
        order by ${order} limit $9::bigint`;
    case 'collection':
      return `
        select ${columns} from resources r
        where ${inCollection} and ${afterStart(rowPath, 'r')} ${isBounded ? untilBound(rowPath, 'r') : ''} and ${matches}
        order by ${order} limit $9::bigint`;
    default:
      return `
        select ${columns} from (
          select * from resources r where ${driver === 'uid' ? 'r.uid = $16::uuid' : isOwned} offset 0
        ) as r
        where ${ofKind('r')} and ${afterStart(rowPath, 'r')} and ${matches}
        order by ${order} limit $9::bigint`;
  }
}

const isOwned = `r.owner_references::jsonb <> '[]'::jsonb and owner_uids(r.owner_references::jsonb) @> array[$16::uuid]`;

/** SQL for the set of labels with the fewest entries: a selective label is read, however common the others are. */
const cheapestLabels = `
  select array(select jsonb_array_elements_text(candidate.labels)) as labels
  from jsonb_array_elements($16::text::jsonb) with ordinality as candidate(labels, place)
  cross join lateral (
    select count(*) as entries from jsonb_array_elements_text(candidate.labels) as each(label)
    cross join lateral (select from resource_labels l where ${entryOf('each.label')} limit ${maxCounted}) as entry
  ) as counted
  order by counted.entries, candidate.place limit 1`;

/** The last entry that a page may look at; nothing when there are fewer. */
function boundOf(driver: Driver): string {
  if (driver !== 'labels') {
    return `select ${rowPath} as path, r.name::text as name, r.uid from resources r
      where ${inCollection} and ${afterStart(rowPath, 'r')} order by ${rowPath}, r.name, r.uid offset ${maxScanned - 1} limit 1`;
  }
  return `
    select l.path, l.name, l.uid from driver cross join unnest(driver.labels) as each(label)
    cross join lateral (
      select l.path, l.name, l.uid from resource_labels l where ${entryOf('each.label')}
      order by l.path, l.name, l.uid offset ${maxScanned - 1} limit 1
    ) as l
    order by l.path, l.name, l.uid limit 1`;
}
