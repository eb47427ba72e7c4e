import { coalesceReads, type Sql, type Statements } from '@platform/postgres';
import {
  type CollectionRef,
  type DefinitionVersion,
  isUnrestricted,
  type Page,
  type Resource,
  StaleDefinitions,
} from '@platform/resources';
import { LRUCache } from 'lru-cache';
import { admittedCollection } from '../access/guard.ts';
import { storedAccessVersion } from '../access/load-access.ts';
import { cursorColumn, cursorOfRead } from '../change-log/cursor.ts';
import { boundedPage, isHeavy, lightPage, wholePage } from './bounded-page.ts';
import { guardInput, inputOf, locatedOperand, stepInput } from './input.ts';
import { oncePer, pathUid } from './locate.ts';
import { joinedColumnsOf, type ResourceRow, resultColumns, storedColumnsOf, toResources } from './row.ts';

/** Weighed pages that are read at the same time: each may have 16 MiB, and is in memory several times while it becomes an answer. */
const weighedAtOnce = 3;
/** How long pages of a collection are weighed after a heavy one. */
const heavyMs = 60_000;

/** A page that is asked for: at most `limit` items with names after `after`, in byte order. */
interface Wanted {
  readonly collection: CollectionRef;
  readonly limit: number;
  readonly after: string | null;
  readonly definition: DefinitionVersion;
}

/** The result of reading a collection, and whether its definition was still current in that snapshot. */
interface Found {
  readonly current: boolean;
  /** Null when there is no collection: an ancestor is missing, or the guard does not admit the collection. */
  readonly items: readonly Resource[] | null;
  readonly more: boolean;
  /** The point of the change log at which it was read. */
  readonly cursor: string;
  /** The page is too large to share a statement; it has no items here. */
  readonly isHeavy: boolean;
}

/** Reads a page of a collection by keyset. A page of large documents ends early. */
export type ListPage = (
  collection: CollectionRef,
  page: { readonly limit: number; readonly after: string | null },
  definition: DefinitionVersion,
) => Promise<Page | { outcome: 'ancestorMissing' }>;

/** Lists; concurrent light pages share a statement (docs/decisions/0023-optimisations.md). */
export function listBatched(statements: Statements): ListPage {
  const findLight = coalesceReads<Wanted, Found>(statements, {
    limits: { maxCount: 4, maxRunning: 6 },
    keyOf: ({ collection }) => `${collection.ancestors.length} ${guardingOf(collection)}`,
    run: (sql, wanted) => listMany(sql, wanted, wholeText),
  });
  const findWeighed = coalesceReads<Wanted, Found>(statements, {
    limits: { maxCount: 1, maxRunning: weighedAtOnce },
    keyOf: () => '',
    run: (sql, wanted) => listMany(sql, wanted, boundedText),
  });
  // Collections with a page that was too heavy: reading such a page twice each time would load the database.
  const heavy = new LRUCache<string, true>({ max: 1_000, ttl: heavyMs });

  return async (collection, page, definition) => {
    const wanted = { collection, ...page, definition };
    const key = JSON.stringify({ ...collection, access: undefined });
    const light = page.limit > lightPage || heavy.has(key) ? null : await findLight(wanted);
    if (light?.isHeavy === true) heavy.set(key, true);
    const found = light === null || light.isHeavy ? await findWeighed(wanted) : light;
    const { current, items, more, cursor } = found;
    if (!current) throw new StaleDefinitions();
    return items === null ? { outcome: 'ancestorMissing' } : { outcome: 'page', items, more, cursor };
  };
}

/** Reads pages of collections that have equally many ancestors, in one statement and from one snapshot. */
async function listMany(
  sql: Sql,
  wanted: readonly Wanted[],
  textOf: (shape: string) => string,
): Promise<readonly Found[]> {
  const [first] = wanted;
  if (first === undefined) return [];
  const shape = `${first.collection.ancestors.length} ${guardingOf(first.collection)}`;
  const rows = await sql.rows<Row>(textOf(shape), inputFor(shape).parameters(wanted));
  const found = new Map(rows.map((row) => [row[0], row]));
  return wanted.map((page, index) => foundIn(page, found.get(index + 1) as Row));
}

type Row = readonly [
  place: number,
  version: string | null,
  read: string,
  parentUid: string | null,
  followed: boolean | null,
  isHeavy: boolean | null,
  count: number,
  ...joined: ResourceRow,
];

/**
 * How a guard restricts a page: not at all; to collections that it admits as a whole; or to single rows of a root collection, which has
 * no ancestor that could be a scope.
 */
type Guarding = 'none' | 'collection' | 'rows';

function guardingOf({ ancestors, access }: CollectionRef): Guarding {
  if (access === undefined) return 'none';
  return ancestors.length === 0 && !isUnrestricted(access) ? 'rows' : 'collection';
}

/** Depth and guarding of a page; pages of one shape share statements. */
function partsOf(shape: string): { readonly depth: number; readonly guarding: Guarding } {
  const [depth, guarding] = shape.split(' ');
  return { depth: Number(depth), guarding: guarding as Guarding };
}

/** The pages that a statement reads, below ancestors of a depth. */
const inputFor = oncePer((shape: string) => {
  const { depth, guarding } = partsOf(shape);
  return inputOf<Wanted>([
    { name: 'api_group', value: ({ collection }) => collection.group },
    { name: 'kind', value: ({ collection }) => collection.kind },
    { name: 'after', value: ({ after }) => after ?? '' },
    { name: 'rows', type: 'bigint', value: ({ limit }) => limit + 1 },
    { name: 'definition_uid', type: 'uuid', value: ({ definition }) => definition?.uid ?? null },
    ...stepInput<Wanted>(depth, ({ collection }) => collection.ancestors),
    ...(guarding === 'none' ? [] : guardInput),
  ]);
});

function foundIn(
  { collection, limit, definition }: Wanted,
  [, version, read, parentUid, followed, heavy, ...joined]: Row,
): Found {
  const current = definition === null || definition.version === version;
  const { text: cursor } = cursorOfRead(read);
  if (heavy === true) return { current, items: null, more: false, cursor, isHeavy: true };
  const missing = (collection.ancestors.length > 0 || collection.access !== undefined) && parentUid === null;
  const items = missing ? null : toResources(joined, limit);
  return { current, items, more: followed === true || joined[0] > limit, cursor, isHeavy: false };
}

/** Aggregates take the rows in the order of the index, which `order by` inside asks for; sorting again would copy them. */
function textOf(shape: string, pageOf: (query: string, order: string) => string, weighed: boolean): string {
  const { depth, guarding } = partsOf(shape);
  const heavy = weighed ? 'null::boolean' : isHeavy(resultColumns.map((column) => `page.${column}`));
  const parent = depth === 0 ? 'parent_uid is null' : 'parent_uid = place.parent_uid';
  const query = `
    select ${storedColumnsOf('r')} from ${guarding === 'rows' ? admittedRows : 'resources r'}
    where ${parent} and api_group = wanted.api_group and kind = wanted.kind and name > wanted.after
      ${guarding !== 'none' && depth === 0 ? 'and place.parent_uid is not null' : ''}
    order by name limit wanted.rows`;
  return `
    select wanted.place, (select d.definition_version from resources d where d.uid = wanted.definition_uid), ${cursorColumn}, place.parent_uid, page.followed, ${heavy},
      page.count, ${resultColumns.map((column) => `case when ${heavy} then null else page.${column} end`).join(', ')}
    from ${inputFor(shape).table} as wanted
    cross join lateral (select ${placeOf(depth, guarding)} as parent_uid offset 0) as place
    cross join lateral (select bool_and(followed), ${joinedColumnsOf('item')} from (${pageOf(query, 'name')}) as item)
      as page (followed, count, ${resultColumns.join(', ')})`;
}

/** SQL for the uid of the parent, and for no uid when the guard does not admit the collection; of a root collection any uid says that it does. */
function placeOf(depth: number, guarding: Guarding): string {
  const parent = pathUid(depth, locatedOperand('wanted'));
  if (guarding === 'none') return parent;
  if (depth === 0) {
    // A binding whose scope no longer exists grants nothing.
    const exists = 'exists (select from resources s where s.uid = any (wanted.access_scopes))';
    const isAdmitted = guarding === 'rows' ? ` and ${exists}` : '';
    return `case when ${storedAccessVersion} = wanted.access_version${isAdmitted} then wanted.access_version end`;
  }
  const admitted = admittedCollection(
    'p.ancestor_uids || p.uid',
    'wanted.access_version',
    'wanted.access_scopes',
  );
  return `(select p.uid from resources p where p.uid = ${parent} and ${admitted})`;
}

/**
 * SQL for the rows of a root collection that a guard admits. They are found by the scopes, so that a page costs as much as there are
 * scopes, and not as much as the collection is long.
 */
const admittedRows = `(
      select scope.uid from unnest(wanted.access_scopes) as scope(uid)
      union
      select b.uid from resources b where b.scope_uids && array(select s.uid from resources s where s.uid = any (wanted.access_scopes)) and b.scope_uids is not null
    ) as admitted cross join lateral (select * from resources r where r.uid = admitted.uid offset 0) as r`;

const wholeText = oncePer((shape: string) => textOf(shape, wholePage, false));
const boundedText = oncePer((shape: string) => textOf(shape, boundedPage, true));
