import type { Sql } from '@platform/postgres';
import { clockMarginMs } from '../../maintenance.ts';
import { instantOf } from '../../schema/columns.ts';

/** Oldest first. Rows that another transaction has locked are skipped: it deletes them. */
const text = (table: string, key: string) => `
delete from ${table} where ${key} = any (array(
  select ${key} from ${table} where expires_at <= $1::timestamptz order by expires_at limit $2::bigint for update skip locked))
returning ${key}`;

const expiredSessions = text('sessions', 'id');
const expiredRevocations = text('session_revocations', 'key');

/** Deletes sessions that have expired, and revocations that can end none any more, by the clock of any machine. */
export async function deleteExpiredSessions(sql: Sql, now: number, limit: number): Promise<number> {
  const gone = (await sql.rows(expiredSessions, [instantOf(now), limit])).length;
  if (gone >= limit) return gone;
  const before = instantOf(now - clockMarginMs);
  return gone + (await sql.rows(expiredRevocations, [before, limit - gone])).length;
}
