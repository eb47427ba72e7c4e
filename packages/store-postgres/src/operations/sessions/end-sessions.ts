import { foldEmailCase } from '@platform/kernel';
import { arrayLiteral, type Sql } from '@platform/postgres';
import { parseUid } from '@platform/resources';
import {
  emailKey,
  loginsKey,
  type ProviderLogin,
  type ProviderLogout,
  providerKey,
  type SignOut,
  sessionKey,
  userKey,
} from '@platform/tokens';
import { instantOf } from '../../schema/columns.ts';

/** When two revocations have one key, the one that ends more sessions counts; replicas must read both. */
const upsert = `
on conflict (key) do update set
  ended_until = greatest(session_revocations.ended_until, excluded.ended_until),
  revoked_at = excluded.revoked_at,
  expires_at = greatest(session_revocations.expires_at, excluded.expires_at)`;

/** As in the statements below, the session goes before its revocation is stored: in another order, two that end one session would wait for each other. */
const endText = `
with gone as (delete from sessions where id = $1::uuid returning 0)
insert into session_revocations (key, ended_until, revoked_at, expires_at)
select $2::text, $3::timestamptz, clock_timestamp(), $3::timestamptz where (select count(*) from gone) >= 0${upsert}`;

/** Deletes a session and stores its revocation. A session of an earlier release has no row. */
export async function endSession(
  sql: Sql,
  { id, expiresAt }: { readonly id: string; readonly expiresAt: number },
): Promise<void> {
  const expiry = new Date(expiresAt * 1000).toISOString();
  await sql.rows(endText, [parseUid(id), sessionKey(id), expiry]);
}

/**
 * Each key is given once, also when several users share it: one statement cannot update a row twice. A session may have started later than
 * now, by a clock that was set back since.
 */
const signOutText = `
with gone as (
  delete from sessions where user_uid = any ($1::uuid[]) or folded_email = $2::text returning user_uid, created_at
), keys as (
  select unnest($3::text[]) as key
  union select 'user:' || user_uid from gone
)
insert into session_revocations (key, ended_until, revoked_at, expires_at)
select key, greatest(clock_timestamp(), (select max(created_at) from gone)), clock_timestamp(),
  clock_timestamp() + make_interval(secs => $4::float8)
from keys order by key${upsert}`;

/** Ends every session that the users have now. */
export async function signOut(sql: Sql, { uids, email, keepSeconds }: SignOut): Promise<void> {
  const stored = uids.map(parseUid).filter((uid) => uid !== null);
  const folded = email === null ? null : foldEmailCase(email);
  // A token that does not come from a login may name any user; it ends all the same.
  const keys = [...uids.map(userKey), ...(email === null ? [] : [emailKey(email)])];
  await sql.rows(signOutText, [arrayLiteral(stored), folded, arrayLiteral(keys), keepSeconds]);
}

/**
 * A token that names a session ends that session, and sessions of the account that do not say which session of the provider they come
 * from. One that names the account only ends everything of its user, sessions of earlier releases included. Logins that have no session yet, such
 * as codes, end with it: they live for minutes, so that an hour is enough to remember it. The mark that the token was used is
 * stored by the same statement: were it stored before, a failure would leave the sessions alive, and the provider would be refused when it tries
 * again.
 */
const byProviderText = `
with used as materialized (
  insert into login_once (hash, sealed, expires_at) values ($5::text, null, $6::timestamptz) on conflict (hash) do nothing returning 0
), accounts as (
  select uid, email from users
  where $3::text is null and issuer = $1::text and subject = $2::text and (select count(*) from used) = 1
), gone as (
  delete from sessions where issuer = $1::text and (
    provider_session = $3::text or (subject = $2::text and ($3::text is null or provider_session is null)))
    and (select count(*) from used) = 1
  returning id, user_uid, email, expires_at
), ended as (
  insert into session_revocations (key, ended_until, revoked_at, expires_at)
  select key, ended_until, clock_timestamp(), expires_at from (
    select 'session:' || id as key, expires_at as ended_until, expires_at from gone
    union all
    select 'user:' || uid, clock_timestamp(), clock_timestamp() + make_interval(secs => $4::float8) from accounts
    union all
    select key, clock_timestamp(), clock_timestamp() + interval '1 hour' from unnest($7::text[]) as key
    where (select count(*) from used) = 1
  ) each order by key${upsert}
)
select (select count(*) from used) = 1, found.uid, found.email
from (select) as one left join (select user_uid as uid, email from gone union select uid, email from accounts) as found on true`;

/** Ends what the identity provider has ended; returns whose sessions, or null when this logout was used before. */
export async function endByProvider(
  sql: Sql,
  { issuer, subject, providerSession, keepSeconds, once }: ProviderLogout,
): Promise<readonly { readonly uid: string; readonly email: string }[] | null> {
  const rows = await sql.rows<readonly [boolean, string | null, string | null]>(byProviderText, [
    ...[issuer, subject, providerSession, keepSeconds],
    ...[once.hash, instantOf(once.expiresAt), arrayLiteral(loginKeys({ issuer, subject, providerSession }))],
  ]);
  if (rows[0]?.[0] !== true) return null;
  return rows.flatMap(([, uid, email]) => (uid === null || email === null ? [] : [{ uid, email }]));
}

/**
 * The logins that end by a logout from one session of the provider, or from a whole account. Attack: an account is closed during its very first
 * login, before it has a user to sign out.
 */
function loginKeys(logout: ProviderLogin): readonly string[] {
  if (logout.providerSession === null) return [loginsKey(logout)];
  const ofSession = providerKey(logout);
  return logout.subject === null
    ? [ofSession]
    : [ofSession, providerKey({ ...logout, providerSession: null })];
}
