import type { Backlog } from '@platform/garbage-collector';
import type { Database } from '@platform/postgres';
import { plannedRows } from './planned.ts';

/** Tombstones that are counted, at most. */
const maxCounted = 100_000;

/** Counts the tombstones that are left. It starts where they begin: before that, the index may be full of removed rows. */
export async function backlog(database: Database, since: number | null): Promise<Backlog> {
  const [row] = await plannedRows<readonly [number, number | null]>(database, {
    text,
    parameters: [maxCounted, since === null ? '-infinity' : new Date(since).toISOString()],
  });
  const [tombstones = 0, oldest = null] = row ?? [];
  return { tombstones, oldest };
}

const text = `
  select count(*), (extract(epoch from min(deletion_timestamp)) * 1000)::bigint from (
    select deletion_timestamp from resources where deletion_timestamp is not null and deletion_timestamp >= $2::timestamptz
    order by deletion_timestamp, uid limit $1::bigint
  ) as oldest`;
