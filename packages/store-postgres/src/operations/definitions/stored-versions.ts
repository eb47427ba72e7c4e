import { arrayLiteral, type Sql } from '@platform/postgres';

/** Reads the versions that rows of the kinds with these plurals are stored at, for definitions with several versions. */
export async function storedVersions(
  sql: Sql,
  plurals: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const versions = new Map<string, string[]>();
  for (const [plural, version] of await sql.rows<readonly [string, string]>(text, [arrayLiteral(plurals)]))
    versions.set(plural, [...(versions.get(plural) ?? []), version]);
  return versions;
}

// One row for each version is looked for, by the index, so that the cost does not depend on the rows of the kind.
const text = `
  select d.definition_plural, declared.version ->> 'name'
  from resources d
  cross join lateral json_array_elements(d.spec -> 'versions') as declared (version)
  cross join lateral (
    select from resources r
    where r.api_group || '/' || r.kind = d.definition_group || '/' || d.definition_kind
      and r.api_version = d.definition_group || '/' || (declared.version ->> 'name')
    limit 1
  ) as stored
  where d.definition_plural = any ($1::text[]) and json_array_length(d.spec -> 'versions') > 1`;
