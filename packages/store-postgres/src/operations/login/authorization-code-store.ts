import type {
  AuthorizationCode,
  AuthorizationCodeKey,
  AuthorizationCodeStore,
  CodeRoom,
} from '@platform/kernel';
import type { Sql } from '@platform/postgres';
import { and, eq, sql as expression, gt, isNotNull, lte, type SQL } from 'drizzle-orm';
import { type Drizzle, query } from '../../drizzle.ts';
import { instantOf } from '../../schema/columns.ts';
import { loginOnce, oauthCodes, oauthStates } from '../../schema/index.ts';

/** The tables of one-time values. `login_once` has no owner, and its rows without a record are states that were used. */
const tables = { login: loginOnce, oauthStates, oauthCodes } as const;

/** One-time values in one of the tables, for all replicas. */
export function createAuthorizationCodeStore(sql: Sql, name: keyof typeof tables): AuthorizationCodeStore {
  // drizzle cannot build a statement on a union of tables. They have these columns in common.
  const table = tables[name] as typeof loginOnce;
  const live = ({ hash, owner }: AuthorizationCodeKey, now: number): SQL | undefined =>
    and(
      eq(table.hash, hash),
      name === 'login' || owner === null ? undefined : eq(tables[name].extensionUid, owner),
      gt(table.expiresAt, instantOf(now)),
      isNotNull(table.sealed),
    );
  return {
    async save({ owner, expiresAt, ...code }, room) {
      if (room !== undefined) return await saveIfRoom(sql, name, { owner, expiresAt, ...code }, room);
      const values = {
        ...code,
        expiresAt: instantOf(expiresAt),
        ...(owner === null ? {} : { extensionUid: owner }),
      };
      await query(sql, (db) => db.insert(table).values(values));
      return true;
    },
    async peek(key, now) {
      const [row] = await query(sql, (db) =>
        db.select({ sealed: table.sealed }).from(table).where(live(key, now)),
      );
      return row?.sealed ?? null;
    },
    // One statement: the first of concurrent ones locks the row, and the others find it deleted.
    async consume(key, now) {
      const [row] = await query(sql, (db) =>
        db.delete(table).where(live(key, now)).returning({ sealed: table.sealed }),
      );
      return row?.sealed ?? null;
    },
    async deleteExpired(now, limit) {
      const deleted = await query(sql, (db) => deleteExpired(db, table, now, limit));
      return deleted.length;
    },
  };
}

/**
 * The size of a text is stored with it, so that the text is not read. The uid is compared as the index has it; the lateral query keeps the
 * planner from reading the live codes of all projects.
 */
const saveIfRoomText = (table: string) => `
insert into ${table} (hash, extension_uid, sealed, expires_at)
select $1::bytea, $2::uuid, $3::text, $4::timestamptz
from (
  select sum(live.bytes) filter (where other.uid = own.uid) as of_extension, sum(live.bytes) as of_project
  from extensions as own
  join extensions as other on other.project_uid = own.project_uid
  cross join lateral (
    select coalesce(sum(octet_length(sealed)), 0) as bytes from ${table}
    where extension_uid::text = other.uid::text and expires_at > $5::timestamptz
  ) as live
  where own.uid = $2::uuid
) as waiting
where octet_length($3::text) + waiting.of_extension <= $6::bigint
  and octet_length($3::text) + waiting.of_project <= $7::bigint
returning 1`;

const withOwner = {
  oauthStates: saveIfRoomText('oauth_states'),
  oauthCodes: saveIfRoomText('oauth_codes'),
} as const;

/** Stores a code of an extension unless its codes, or those of its project, would have too many bytes together. */
async function saveIfRoom(
  sql: Sql,
  name: keyof typeof tables,
  { hash, owner, sealed, expiresAt }: AuthorizationCode,
  { maxBytes, maxProjectBytes, now }: CodeRoom,
): Promise<boolean> {
  if (name === 'login') throw new TypeError('codes of the platform have no owner');
  const times = [instantOf(expiresAt), instantOf(now)];
  const values = [Buffer.from(hash, 'hex'), owner, sealed, ...times, maxBytes, maxProjectBytes];
  return (await sql.rows(withOwner[name], values)).length > 0;
}

/** Oldest first. Rows that another transaction has locked are skipped: it deletes them. */
function deleteExpired(db: Drizzle, table: typeof loginOnce, now: number, limit: number) {
  const expired = db
    .select({ hash: table.hash })
    .from(table)
    .where(lte(table.expiresAt, instantOf(now)))
    .orderBy(table.expiresAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  // An array, because `in` may be planned as a join that locks more rows than it deletes.
  return db
    .delete(table)
    .where(expression`${table.hash} = any (array(${expired}))`)
    .returning({ hash: table.hash });
}
