import { foldEmailCase } from '@platform/kernel';
import { arrayLiteral, type Sql } from '@platform/postgres';
import { keysOf, loginsKey, type NewSession, providerKey } from '@platform/tokens';
import { instantOf } from '../../schema/columns.ts';

/**
 * `created_at` is by the clock that sign-outs compare it with, and not rounded up into the future.
 *
 * Attack: a user is signed out, and a code from before becomes a session at a replica that does not know of it yet. That session would start
 * after the sign-out, and go on. So the database is asked, in the statement that stores the session.
 */
const startText = `
insert into sessions
  (id, user_uid, email, folded_email, issuer, subject, provider_session, user_agent, created_at, expires_at)
select $1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text,
  date_trunc('milliseconds', clock_timestamp()), clock_timestamp() + make_interval(secs => $9::float8)
where not exists (
  select from session_revocations where key = any ($10::text[]) and ended_until >= $11::timestamptz)
returning id, created_at`;

/** Stores a session; null when its login was ended since `authenticatedAt`. */
export async function startSession(
  sql: Sql,
  id: string,
  session: NewSession,
): Promise<{ readonly id: string; readonly startedAt: number } | null> {
  const { uid, email, issuer, subject, providerSession, userAgent, seconds, authenticatedAt } = session;
  const [row] = await sql.rows<readonly [id: string, createdAt: string]>(startText, [
    ...[id, uid, email, foldEmailCase(email), issuer, subject, providerSession, userAgent, seconds],
    arrayLiteral(loginKeys(session)),
    instantOf(authenticatedAt),
  ]);
  return row === undefined ? null : { id: row[0], startedAt: Date.parse(row[1]) };
}

/** The keys by which a login can have been ended that has no session yet. */
function loginKeys({ uid, email, issuer, subject, providerSession }: NewSession): readonly string[] {
  const ofUser = keysOf({ id: null, uid, email });
  if (issuer === null) return ofUser;
  return [...ofUser, loginsKey({ issuer, subject }), providerKey({ issuer, subject, providerSession })];
}
