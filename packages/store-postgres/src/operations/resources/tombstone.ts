import type { Sql } from '@platform/postgres';
import { type ChangeContext, cascadeFinalizer, type Resource } from '@platform/resources';
import { changeAssignments, changeLiteral } from './change.ts';
import { revisionOf } from './pending-cascades.ts';
import { columnsOf, toResource } from './row.ts';

/** Tombstones a live row, with the cascade finalizer on it if it is blocked. */
export async function tombstoneRow(
  sql: Sql,
  uid: string,
  { change, ...options }: { readonly cascadeFinalizer: boolean; readonly change: ChangeContext },
): Promise<Resource> {
  const [row] = await sql.rows(text, [
    uid,
    options.cascadeFinalizer ? cascadeFinalizer : null,
    changeLiteral(change),
  ]);
  if (row === undefined) throw new Error(`there is no live row ${uid} to tombstone`);
  return toResource(row);
}

const text = `
  update resources r set deletion_timestamp = now(), revision = ${revisionOf('r')} + 1, updated_at = now(),
    deletion = $3::text[], ${changeAssignments('$3::text[]')},
    finalizers = case when $2::text is null or $2::text = any (r.finalizers) then r.finalizers else r.finalizers || $2::text end
  where uid = $1::uuid and deletion_timestamp is null
  returning ${columnsOf('r')}`;
