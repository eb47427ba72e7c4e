import { arrayLiteral, type DatabaseOptions, type Sql } from '@platform/postgres';
import type { Revocation } from '@platform/tokens';
import { type Listening, listen } from '../../listener.ts';
import { instantOf } from '../../schema/columns.ts';

type Row = readonly [key: string, endedUntil: string, revokedAt: string, expiresAt: string];

const columns = 'key, ended_until, revoked_at, expires_at';

// `least` ignores a null.
const sinceText = `
select ${columns} from session_revocations
where (revoked_at, key) > (least($1::timestamptz, now() - $4::float8 * interval '1 millisecond'), $2::text)
order by revoked_at, key limit $3::bigint`;

/** The revocations after a point, oldest first. */
export async function revocationsSince(
  sql: Sql,
  {
    revokedAt,
    key,
    recentMs,
  }: { readonly revokedAt: number; readonly key: string; readonly recentMs?: number },
  limit: number,
): Promise<readonly Revocation[]> {
  const rows = await sql.rows<Row>(sinceText, [instantOf(revokedAt), key, limit, recentMs ?? null]);
  return rows.map(toRevocation);
}

const latestText = `
select ${columns} from session_revocations order by revoked_at desc, key desc limit $1::bigint`;

/** The newest revocations, oldest first. Expired ones are among them until they are deleted. */
export async function latestRevocations(sql: Sql, limit: number): Promise<readonly Revocation[]> {
  const rows = await sql.rows<Row>(latestText, [limit]);
  return rows.map(toRevocation).reverse();
}

const isRevokedText = `
select 1 from session_revocations
where key = any ($1::text[]) and ended_until >= $2::timestamptz limit 1`;

/** Whether a session was ended, for replicas whose memory does not reach back that far. */
export async function isRevoked(sql: Sql, keys: readonly string[], startedAt: number): Promise<boolean> {
  return (await sql.rows(isRevokedText, [arrayLiteral(keys), instantOf(startedAt)])).length > 0;
}

function toRevocation([key, endedUntil, revokedAt, expiresAt]: Row): Revocation {
  return {
    key,
    endedUntil: Date.parse(endedUntil),
    revokedAt: Date.parse(revokedAt),
    expiresAt: Date.parse(expiresAt),
  };
}

/** Notified on commit by the trigger of `session_revocations` (drizzle/, "wake_revocation_followers"). */
const channel = 'platform_sessions';

/** Calls `listener` after each commit that ended sessions, on whichever replica, and whenever some may have been missed. */
export function listenForRevocations(options: DatabaseOptions, listener: () => void): Listening {
  return listen(options, {
    name: channel,
    purpose: 'ended sessions',
    notified: listener,
    begun: listener,
  });
}
