import { arrayLiteral, coalesceReads, type Sql, type Statements } from '@platform/postgres';
import {
  type DefinitionVersion,
  type Resource,
  type ResourceReader,
  StaleDefinitions,
} from '@platform/resources';
import { cursorColumn, cursorOfRead } from '../change-log/cursor.ts';
import { inputOf, locatedInput, locatedOperand } from './input.ts';
import { type Located, locate, oncePerShape } from './locate.ts';
import { joinedColumnsOf, joinedTextsOf, type ResourceRow, toResources, toTexts } from './row.ts';

/** A row to read, with the definition that the request was resolved with. */
export interface WantedRow {
  readonly located: Located;
  readonly definition: DefinitionVersion;
}

/** The result of a point read, and whether its definition was still current in that snapshot. */
export interface Found {
  readonly current: boolean;
  readonly resource: Resource | null;
  /** The point of the change log at which it was read. */
  readonly cursor: string;
}

/** Reads the rows that references of one shape name, in their order, in one statement and from one snapshot. */
async function getMany(sql: Sql, wanted: readonly WantedRow[]): Promise<readonly Found[]> {
  const first = wanted[0]?.located;
  if (first === undefined) return [];
  const definitions = [...new Set(wanted.flatMap(({ definition }) => definition?.uid ?? []))];
  const input = inputFor(first);
  const rows = await sql.rows(textOf(first), [...input.parameters(wanted), arrayLiteral(definitions)]);
  const [[versions, read, places, ...joined]] = rows as [Row];
  const cursor = cursorOfRead(read).text;
  const seen = (versions ?? '').split(',');
  const versionOf = new Map(definitions.map((uid, index) => [uid, seen[index]]));
  const resources = toResources(joined, wanted.length);
  const found = new Map(toTexts(places).map((place, index) => [Number(place) - 1, resources[index]]));
  return wanted.map(({ definition }, index) => ({
    current: definition === null || versionOf.get(definition.uid) === definition.version,
    resource: found.get(index) ?? null,
    cursor,
  }));
}

type Row = readonly [
  versions: string | null,
  read: string,
  places: string | null,
  count: number,
  ...joined: ResourceRow,
];

/** Point reads; concurrent ones share a statement. */
export function getBatched(statements: Statements): ResourceReader['get'] {
  const find = coalesceReads<WantedRow, Found>(statements, {
    limits: { maxCount: 64, maxRunning: 3 },
    keyOf: ({ located }) => located.shape,
    run: getMany,
  });
  return async (ref, definition) => {
    const { current, resource, cursor } = await find({ located: locate(ref), definition });
    if (!current) throw new StaleDefinitions();
    return { outcome: 'read', resource, cursor };
  };
}

// One row for all, because the driver spends time on each row and column.
//
// Offset 0 keeps each look-up one by key. Without it a plan that was made while the table had some hundred rows hashed all of them for
// each read, and stayed when the table had grown.
const inputFor = oncePerShape((located) => inputOf<WantedRow>(locatedInput(located)));

const textOf = oncePerShape((located: Located) => {
  const { table, count } = inputFor(located);
  return `
    select (${versionsOf(count + 1)}), ${cursorColumn}, ${joinedTextsOf('place')}, ${joinedColumnsOf('found')}
    from ${table} as wanted
    cross join lateral (
      select * from resources r where ${located.condition(locatedOperand('wanted'))} offset 0
    ) as found`;
});

/** SQL for the current versions of the definitions in an array, joined by commas; empty where there is none. Each is read once a batch. */
function versionsOf(parameter: number): string {
  return `
      select string_agg(coalesce(
        (select d.definition_version::text from resources d where d.uid = definition.uid), ''), ',' order by place)
      from unnest($${parameter}::uuid[]) with ordinality as definition(uid, place)`;
}
