import type { Sql } from '@platform/postgres';
import type { ChangeContext } from '@platform/resources';
import { changeLiteral } from './change.ts';
import { deletionOf } from './pending-cascades.ts';

/** Deletes a row. The context cannot be stored with it, so the transaction holds it for the change log. */
export async function removeRow(sql: Sql, uid: string, change: ChangeContext): Promise<void> {
  await sql.rows(text, [uid, changeLiteral(change)]);
}

/**
 * The setting in which a statement that deletes rows tells who does, and in which order the removals are logged: a JSON object of uids, each
 * with its place and the context of its removal. It ends with the transaction. The removal of a tombstone belongs to its deletion.
 */
export const removalSetting = 'platform.removal';

const text = `
  with told as materialized (
    select set_config('${removalSetting}', jsonb_build_object(r.uid, jsonb_build_array(1,
      ($2::text[])[1:5] || coalesce((${deletionOf('r')})[6], ($2::text[])[6]) || ($2::text[])[7:8]))::text, true) as removal
    from resources r where r.uid = $1::uuid
  )
  delete from resources where uid = $1::uuid and (select removal is not null from told)`;
