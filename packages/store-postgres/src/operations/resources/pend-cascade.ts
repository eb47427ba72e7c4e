import type { Sql } from '@platform/postgres';
import type { ChangeContext } from '@platform/resources';
import { advisoryLock } from '../../advisory-locks.ts';
import { wakeChannel } from '../../listener.ts';
import { changeLiteral } from './change.ts';

/**
 * Makes tombstones of all dependents of a locked row at once. Waits for writes of dependents that have not committed. Such cascades commit
 * one after the other, in the order of `seq`: the time of a tombstone never changes.
 */
export async function pendCascade(sql: Sql, uid: string, change: ChangeContext): Promise<void> {
  await sql.rows(`select ${advisoryLock.cascade}::text`);
  await sql.rows(`select ${advisoryLock.cascadeFrom('$1::uuid')}::text`, [uid]);
  await sql.rows(pendText, [uid, changeLiteral(change)]);
}

const pendText = `
  insert into pending_cascades (owner_uid, time, change, api_version, kind, name, parent_uid)
  select uid, now(), $2::text[], api_version, kind, name, parent_uid from resources where uid = $1::uuid
  on conflict (owner_uid) do nothing
  returning pg_notify('${wakeChannel}', 'tombstoned ' || (extract(epoch from time) * 1000)::bigint)::text`;
