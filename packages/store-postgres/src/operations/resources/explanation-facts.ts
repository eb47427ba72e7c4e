import { arrayLiteral, type Sql } from '@platform/postgres';
import type { GroupKind, Resource } from '@platform/resources';
import { columnsOf, scalarColumnsOf, toResource } from './row.ts';

/** Reads rows by uid, in the order of the uids. */
export async function readResources(
  sql: Sql,
  uids: readonly string[],
  { documents } = { documents: true },
): Promise<readonly Resource[]> {
  if (uids.length === 0) return [];
  const rows = await sql.rows(documents ? resourcesText : identitiesText, [arrayLiteral(uids)]);
  return rows.map((row) => toResource(row));
}

/** Reads the definitions that claim kinds. */
export async function definitionsOf(sql: Sql, kinds: readonly GroupKind[]): Promise<readonly Resource[]> {
  if (kinds.length === 0) return [];
  const groups = arrayLiteral(kinds.map(({ group }) => group));
  const rows = await sql.rows(definitionsText, [groups, arrayLiteral(kinds.map(({ kind }) => kind))]);
  return rows.map((row) => toResource(row));
}

/** Reads which rows a kind has, at any version. */
export async function instancesOf(
  sql: Sql,
  { group, kind }: GroupKind,
  limit: number,
): Promise<readonly { readonly uid: string; readonly apiVersion: string }[]> {
  const rows = await sql.rows<readonly [string, string]>(instancesText, [group, kind, limit]);
  return rows.map(([uid, apiVersion]) => ({ uid, apiVersion }));
}

/** Since when the collector is paused. */
export async function collectorPausedSince(sql: Sql): Promise<string | null> {
  const [row] = await sql.rows<readonly [string | null]>(pausedText);
  return row?.[0] ?? null;
}

// Offset 0: as in get-many.ts.
const textOf = (columns: string) => `
  select ${columns} from unnest($1::uuid[]) with ordinality as wanted (uid, place)
  cross join lateral (select * from resources where uid = wanted.uid offset 0) as r
  order by wanted.place`;

const resourcesText = textOf(columnsOf('r'));
const identitiesText = textOf(scalarColumnsOf('r'));

const definitionsText = `
  select ${columnsOf('d')} from unnest($1::text[], $2::text[]) as wanted (api_group, kind)
  cross join lateral (
    select * from resources where definition_group = wanted.api_group and definition_kind = wanted.kind offset 0
  ) as d`;

const instancesText = `
  select uid, api_version from resources
  where api_group || '/' || kind = $1::text || '/' || $2::text order by api_version limit $3::bigint`;

const pausedText = `
  select to_char(paused_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from leases where name = 'collector'`;
