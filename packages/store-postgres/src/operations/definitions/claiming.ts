import type { Sql } from '@platform/postgres';
import type { GroupKind, Resource } from '@platform/resources';
import { columnsOf, toResource } from '../resources/row.ts';

/** Reads the definitions that claim a plural, or a group and kind. */
export async function claiming(
  sql: Sql,
  plural: string,
  { group, kind }: GroupKind,
  exceptUid: string | null,
): Promise<readonly Resource[]> {
  const rows = await sql.rows(text, [plural, group, kind, exceptUid]);
  return rows.map((row) => toResource(row));
}

const text = `
  select ${columnsOf('r')} from resources r
  where (definition_plural = $1::text or (definition_group = $2::text and definition_kind = $3::text))
    and uid is distinct from $4::uuid
  order by name`;
