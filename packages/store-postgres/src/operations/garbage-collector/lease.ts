import type { Fence, Lease, LeaseAttempt } from '@platform/garbage-collector';
import type { Database, Sql } from '@platform/postgres';
import { wakeChannel } from '../../listener.ts';

/** The collector's lease, a row of `leases`. Each method is one statement without session state, so that it works through any pooler. */
export function createLease(database: Database): Lease {
  return {
    async acquire(holder, seconds): Promise<LeaseAttempt> {
      const [row] = await database.rows<readonly [boolean, number, boolean, number]>(acquireText, [
        holder,
        seconds,
      ]);
      if (row === undefined)
        throw new Error('the migrations have not been applied: there is no lease to acquire');
      const [held, token, paused, freeInMs] = row;
      return held ? { held, fence: { holder, token }, paused } : { held, freeInMs };
    },
    async release({ holder, token }) {
      await database.rows(releaseText, [holder, token]);
    },
  };
}

/** Returns whether the fence is broken or the collector is paused at this moment; null when neither. */
export async function checkFence(sql: Sql, { holder, token }: Fence): Promise<'deposed' | 'paused' | null> {
  const [row] = await sql.rows<readonly [boolean, boolean]>(fenceText, [holder, token]);
  const [holds = false, paused = false] = row ?? [];
  if (!holds) return 'deposed';
  return paused ? 'paused' : null;
}

/** SQL of a query that has a row while the fence holds: no other process leads before the transaction ends. */
export function heldLease(holder: string, token: string): string {
  return `
    select from leases where name = 'collector' and holder = ${holder} and token = ${token} and expires_at > clock_timestamp() for share`;
}

// Two concurrent updates are serialized by the row lock; the second one sees that the lease is held.
// clock_timestamp() instead of now(), which is the start of the transaction and may lie before the wait for the lock. A lease that ends later
// than any can is of a clock that was set back since (the longest `collector.lease_seconds` is an hour): its holder renews it, or is gone.
const acquireText = `
  with acquired as (
    update leases set
      token = case when holder is not distinct from $1::text then token else token + 1 end,
      holder = $1::text, expires_at = clock_timestamp() + $2::float8 * interval '1 second'
    where name = 'collector' and (holder is not distinct from $1::text or holder is null
      or expires_at not between clock_timestamp() and clock_timestamp() + interval '61 minutes')
    returning token, paused_since
  )
  select true, token, paused_since is not null, 0::bigint from acquired
  union all
  select false, token, paused_since is not null,
    greatest(0, ceil(extract(epoch from expires_at - clock_timestamp()) * 1000))::bigint
  from leases where name = 'collector' and not exists (select from acquired)`;

const releaseText = `
  update leases set holder = null, expires_at = '-infinity'
  where name = 'collector' and holder = $1::text and token = $2::bigint
  returning pg_notify('${wakeChannel}', 'lease')::text`;

const fenceText = `
  select holder = $1::text and token = $2::bigint and expires_at > clock_timestamp(), paused_since is not null
  from leases where name = 'collector'`;
