import type { Sql } from '@platform/postgres';
import type { ChangeContext } from '@platform/resources';
import { changeLiteral } from './change.ts';
import { deletionOf } from './pending-cascades.ts';

/** Deletes a row. The context cannot be stored with it, so the transaction holds it for the change log. */
export async function removeRow(sql: Sql, uid: string, change: ChangeContext): Promise<void> {
  await sql.rows(text, [uid, changeLiteral(change)]);
}

/**
 * SQL that tells the change log who removes each row, and in which order the removals are logged: two arrays in a setting that ends with
 * the transaction. A removal that is not told of belongs to the deletion of its row. The operands are SQL of an aggregate; `change` is the
 * context as `text[]`.
 */
export function tellRemovals(uid: string, change: string, place: string): string {
  return `set_config('platform.removals',
      array[array_agg(${uid} order by ${place})::text, array_agg((${change})::text order by ${place})::text]::text, true)`;
}

const change = `($2::text[])[1:5] || coalesce((${deletionOf('r')})[6], ($2::text[])[6]) || ($2::text[])[7:8]`;

const text = `
  with told as materialized (
    select ${tellRemovals('r.uid', change, '1')} as removals from resources r where r.uid = $1::uuid
  )
  delete from resources where uid = $1::uuid and (select removals is not null from told)`;
