import type { OneTimeStore } from '@platform/login';
import type { Sql } from '../../connection.ts';

const instant = (seconds: number): string => new Date(seconds * 1000).toISOString();

const insert = `
insert into login_once (hash, sealed, expires_at) values ($1::text, $2::text, $3::timestamptz)
on conflict (hash) do nothing returning hash`;
const peek =
  'select sealed from login_once where hash = $1::text and expires_at > $2::timestamptz and sealed is not null';
const consume = 'delete from login_once where hash = $1::text and sealed is not null returning hash';
// Rows that another sweep holds are left to it.
const sweep = `
delete from login_once where hash = any (array(
  select hash from login_once where expires_at <= $1::timestamptz order by expires_at limit $2::bigint for update skip locked))
returning hash`;

/** What a login may use once, for all replicas. */
export function createOneTimeStore(sql: Sql): OneTimeStore {
  return {
    async markUsed(hash, expiresAt) {
      return (await sql.rows(insert, [hash, null, instant(expiresAt)])).length === 1;
    },
    async save(hash, sealed, expiresAt) {
      await sql.rows(insert, [hash, sealed, instant(expiresAt)]);
    },
    async peek(hash, now) {
      const [row] = await sql.rows<readonly [string]>(peek, [hash, instant(now)]);
      return row?.[0] ?? null;
    },
    async consume(hash) {
      return (await sql.rows(consume, [hash])).length === 1;
    },
    async sweep(now, limit) {
      return (await sql.rows(sweep, [instant(now), limit])).length;
    },
  };
}
