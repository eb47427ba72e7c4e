import { arrayLiteral, parseArrayLiteral, type Sql } from '@platform/postgres';
import type { CollectionRef, PathStep, PlacedRow, Reach, ResourceRef } from '@platform/resources';
import { oncePer, parametersFrom } from '../resources/locate.ts';
import { existingScopes } from './guard.ts';
import { storedAccessVersion } from './load-access.ts';

/** Reads what exists on the way to a target, from one snapshot with the version of roles and bindings. */
export async function readReach(sql: Sql, ref: ResourceRef | CollectionRef): Promise<Reach> {
  if ('ancestors' in ref) return await reachByPath(sql, ref.ancestors, false);
  if (ref.by === 'path') return await reachByPath(sql, ref.steps, true);
  const [row] = await sql.rows<readonly [string, ...PlaceColumns]>(byUidText, [ref.uid]);
  const [version = '', ...place] = row ?? [];
  const found = place[0] == null ? null : placeIn(place as PlaceColumns);
  const isWanted = ref.by === 'unregistered' || (found?.group === ref.group && found?.kind === ref.kind);
  const item = isWanted ? found : null;
  return { version, uids: item === null ? [] : [...item.within, item.uid], item };
}

async function reachByPath(sql: Sql, steps: readonly PathStep[], named: boolean): Promise<Reach> {
  const parameters = steps.flatMap(({ group, kind, name }) => [group, kind, name]);
  const [row] = await sql.rows<readonly [string, string, string | null]>(
    byPathText(steps.length),
    parameters,
  );
  const [version = '', uids = '{}', scope = null] = row ?? [];
  const found = parseArrayLiteral(uids);
  const last = steps.at(-1);
  if (!named || last === undefined || found.length < steps.length)
    return { version, uids: found, item: null };
  const within = [...found.slice(0, -1), ...parseArrayLiteral(scope ?? '{}')];
  const { group, kind, name } = last;
  const uid = found.at(-1) as string;
  return { version, uids: [...within, uid], item: { uid, group, kind, name, plural: null, within } };
}

/** Reads rows of any kind with the plurals of their kinds. */
export async function readPlaces(sql: Sql, uids: readonly string[]): Promise<readonly PlacedRow[]> {
  const rows = await sql.rows<PlaceColumns>(placesText, [arrayLiteral(uids)]);
  return rows.map(placeIn);
}

type PlaceColumns = readonly [
  uid: string,
  group: string,
  kind: string,
  name: string,
  plural: string | null,
  ancestors: string,
  scope: string,
];

function placeIn([uid, group, kind, name, plural, ancestors, scope]: PlaceColumns): PlacedRow {
  return {
    uid,
    group,
    kind,
    name,
    plural,
    within: [...parseArrayLiteral(ancestors), ...parseArrayLiteral(scope)],
  };
}

const placeColumns = (plural: string) =>
  `r.uid, r.api_group, r.kind, r.name, ${plural}, r.ancestor_uids::text, ${existingScopes('r')}`;

const byUidText = `
  select access.version, ${placeColumns('null::text')}
  from (select ${storedAccessVersion} as version) as access left join lateral (
    select * from resources where uid = $1::uuid
  ) as r on true`;

const placesText = `
  select ${placeColumns(`(
    select d.definition_plural from resources d where d.definition_group = r.api_group and d.definition_kind = r.kind)`)}
  from unnest($1::uuid[]) as wanted(uid) cross join lateral (select * from resources where uid = wanted.uid offset 0) as r`;

/** One look-up a level, which stops at the first one that is missing. */
const byPathText = oncePer((depth: number) => {
  const operand = parametersFrom(1);
  const levels = Array.from({ length: depth }, (_, index) => {
    const parent = index === 0 ? 'is null' : `= a${index - 1}.uid`;
    return `
    left join lateral (
      select uid, scope_uids from resources where parent_uid ${parent} and api_group = ${operand(3 * index)}::text
        and kind = ${operand(3 * index + 1)}::text and name = ${operand(3 * index + 2)}::text offset 0
    ) as a${index} on true`;
  });
  const uids = `array_remove(array[${levels.map((_, index) => `a${index}.uid`).join(', ')}]::uuid[], null)::text`;
  const scope = depth === 0 ? 'null::text' : existingScopes(`a${depth - 1}`);
  return `select access.version, ${uids}, ${scope} from (select ${storedAccessVersion} as version) as access ${levels.join('')}`;
});
