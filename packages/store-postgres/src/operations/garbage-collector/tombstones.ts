import type { Tombstone, TombstoneRange } from '@platform/garbage-collector';
import type { Database } from '@platform/postgres';
import { nilUid } from '@platform/resources';
import { plannedRows } from './planned.ts';

type Row = readonly [uid: string, revision: number, since: number];

/** Reads a page of tombstones by position, from the index, so that the cost does not depend on how many come before it. */
export async function tombstones(
  database: Database,
  { after, until }: TombstoneRange,
  limit: number,
): Promise<readonly Tombstone[]> {
  const parameters = [
    after === null ? '-infinity' : timestampOf(after.since),
    after === null ? nilUid : after.uid,
    until === null ? 'infinity' : timestampOf(until),
    limit,
  ];
  const rows = await plannedRows<Row>(database, { text, parameters });
  return rows.map(([uid, revision, since]) => ({ uid, revision, since }));
}

function timestampOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const text = `
  select uid, revision, (extract(epoch from deletion_timestamp) * 1000)::bigint
  from resources
  where deletion_timestamp is not null
    and (deletion_timestamp, uid) > ($1::timestamptz, $2::uuid) and deletion_timestamp <= $3::timestamptz
  order by deletion_timestamp, uid limit $4::bigint`;
