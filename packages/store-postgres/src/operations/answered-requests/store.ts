import type { Sql } from '@platform/postgres';
import type { AnsweredRequests } from '@platform/resources';
import { advisoryLock } from '../../advisory-locks.ts';

type Row = readonly [bodyHash: string, status: number, headers: string, body: string];

/** The answers of requests with idempotency keys, in a transaction. */
export function answeredRequestsIn(sql: Sql): AnsweredRequests {
  return {
    async claim(keyHash) {
      // The second statement has a later snapshot: it sees the answer of a transaction that held the lock until now.
      const [[locked], [row]] = await Promise.all([
        sql.rows<readonly [boolean]>(lockText, [keyHash]),
        sql.rows<Row>(findText, [keyHash]),
      ]);
      // Another repeated request may have the lock.
      if (row === undefined) return { state: locked?.[0] === true ? 'new' : 'running' };
      const [bodyHash, status, headers, body] = row;
      return { state: 'answered', bodyHash, answer: { status, headers: JSON.parse(headers), body } };
    },

    async keep(keyHash, bodyHash, { status, headers, body }) {
      await sql.rows(keepText, [keyHash, bodyHash, status, JSON.stringify(headers), body]);
    },
  };
}

/** Deletes at most `limit` expired answers, and returns how many. */
export async function deleteExpiredAnswers(sql: Sql, limit: number): Promise<number> {
  return (await sql.rows(expireText, [limit])).length;
}

const lockText = `select ${advisoryLock.tryRequest('$1::text')}`;

const findText = `
  select body_hash, status, headers, body from answered_requests
  where key_hash = $1::text and expires_at > now()`;

// An expired answer may still be there.
const keepText = `
  insert into answered_requests (key_hash, body_hash, status, headers, body, expires_at)
  values ($1::text, $2::text, $3::int, $4::json, $5::text, now() + interval '24 hours')
  on conflict (key_hash) do update set body_hash = excluded.body_hash, status = excluded.status,
    headers = excluded.headers, body = excluded.body, expires_at = excluded.expires_at`;

const expireText = `
  delete from answered_requests where key_hash = any (array(
    select key_hash from answered_requests where expires_at <= now() order by expires_at
    limit $1::bigint for update skip locked))
  returning key_hash`;
