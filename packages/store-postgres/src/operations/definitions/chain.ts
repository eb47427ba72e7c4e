import type { Sql } from '@platform/postgres';
import {
  type DefinitionSource,
  type DefinitionVersion,
  type GroupKind,
  type LoadedDefinitions,
  maxParentChain,
  type Resource,
} from '@platform/resources';
import { columnsOf, resourceWidth, toResource } from '../resources/row.ts';
import { storedVersions } from './stored-versions.ts';

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

/** Reads the definition of a collection and those above it, with its version, from one snapshot. */
async function loadDefinitions(
  sql: Sql,
  group: string,
  plural: string,
  limit: number,
): Promise<LoadedDefinitions> {
  const rows = await sql.rows(byPluralText, [group, plural, limit]);
  const chain = rows.map((row) => toResource(row));
  const [leaf] = chain;
  if (leaf === undefined) return { chain, version: null };
  return { chain, version: { uid: leaf.uid, version: rows[0]?.[resourceWidth] as string } };
}

/** The version of the definition of a collection; null when there is none. */
async function definitionVersion(sql: Sql, group: string, plural: string): Promise<DefinitionVersion> {
  const [row] = await sql.rows<readonly [string, string]>(versionText, [group, plural]);
  return row === undefined ? null : { uid: row[0], version: row[1] };
}

/** The version of all definitions together. */
async function catalogVersion(sql: Sql): Promise<string> {
  const [row] = await sql.rows<readonly [string]>('select version from catalog_epoch', []);
  if (row === undefined) throw new Error('catalog_epoch has no row: see docs/fsck.md');
  return row[0];
}

const byKindText = `
  with ${chainFrom('d.definition_group = $1::text and d.definition_kind = $2::text', '$3::int')}
  select ${columnsOf('chain')} from chain order by height`;

const byPluralText = `
  with ${chainFrom('d.definition_group = $1::text and d.definition_plural = $2::text', '$3::int')}
  select ${columnsOf('chain')}, chain.definition_version from chain order by height`;

const versionText = `
  select uid, definition_version from resources
  where definition_group = $1::text and definition_plural = $2::text`;

/** Reads of definitions for the catalog, on PostgreSQL. */
export function createDefinitionSource(sql: Sql): DefinitionSource {
  return {
    load: (group, plural) => loadDefinitions(sql, group, plural, maxParentChain + 1),
    version: (group, plural) => definitionVersion(sql, group, plural),
    catalogVersion: () => catalogVersion(sql),
    storedVersions: (plurals) => storedVersions(sql, plurals),
  };
}
