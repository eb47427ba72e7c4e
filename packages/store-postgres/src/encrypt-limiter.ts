import type { Parameter, Sql } from '@platform/postgres';
import type { EncryptLimiter } from '@platform/projects';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { clockMarginMs } from './maintenance.ts';

/** The window of `limits.encrypt_requests_per_hour`, in seconds. */
const hour = 3600;

/** Encryptions of one user, counted in the database for all replicas (rate-limiter-flexible on our pool). */
export function createEncryptLimiter(sql: Sql, requestsPerHour: number): EncryptLimiter {
  const limiter = new RateLimiterPostgres({
    storeClient: clientOf(sql),
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    // The collector deletes expired rows.
    clearExpiredByTimeout: false,
    keyPrefix: 'encrypt',
    points: requestsPerHour,
    duration: hour,
  });
  return {
    async take(userUid) {
      try {
        await limiter.consume(userUid);
        return { allowed: true };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) };
      }
    },
  };
}

const deleteText = (condition: string) => `
  delete from rate_limits where key = any (array(
    select key from rate_limits where ${condition} order by expire limit $2::bigint for update skip locked))
  returning key`;
const endedText = deleteText('expire <= $1::bigint');
const tooLateText = deleteText('expire > $1::bigint');

/**
 * Deletes at most `limit` counters whose window ended by the clock of every machine, and returns how many; `now` in milliseconds since the
 * epoch. It also deletes windows that end later than any can: a machine whose clock was ahead began them, and would refuse its users for
 * as long.
 */
export async function deleteExpiredRateLimits(sql: Sql, now: number, limit: number): Promise<number> {
  const ended = (await sql.rows(endedText, [now - clockMarginMs, limit])).length;
  if (ended >= limit) return ended;
  const latest = now + hour * 1_000 + clockMarginMs;
  return ended + (await sql.rows(tooLateText, [latest, limit - ended])).length;
}

/** The little that the library asks of a client. All its statements return `points` and `expire`. */
function clientOf(sql: Sql) {
  return {
    async query({ text, values }: { readonly text: string; readonly values: readonly Parameter[] }) {
      const rows = await sql.rows<readonly [number, number]>(text, values);
      return { rows: rows.map(([points, expire]) => ({ points, expire })), rowCount: rows.length };
    },
  };
}
