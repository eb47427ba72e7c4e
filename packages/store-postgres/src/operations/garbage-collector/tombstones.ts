import type { Backlog, Tombstone, TombstoneRange } from '@platform/garbage-collector';
import { arrayLiteral, type Database } from '@platform/postgres';
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
  const rows = await plannedRows<Row>(database, { text: tombstonesText, parameters });
  return rows.map(([uid, revision, since]) => ({ uid, revision, since }));
}

function timestampOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const tombstonesText = `
  select uid, revision, (extract(epoch from deletion_timestamp) * 1000)::bigint
  from resources
  where deletion_timestamp is not null
    and (deletion_timestamp, uid) > ($1::timestamptz, $2::uuid) and deletion_timestamp <= $3::timestamptz
  order by deletion_timestamp, uid limit $4::bigint`;

/** Reads the revisions of the rows that exist. */
export async function revisions(
  database: Database,
  uids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return new Map(
    await plannedRows<readonly [string, number]>(database, {
      text: revisionsText,
      parameters: [arrayLiteral(uids)],
    }),
  );
}

const revisionsText = `
  select r.uid, r.revision from unnest($1::uuid[]) as wanted (uid)
  cross join lateral (select uid, revision from resources where uid = wanted.uid) as r`;

/** Tombstones that are counted, at most. */
const maxCounted = 100_000;

/** Counts the tombstones that are left. It starts where they begin: before that, the index may be full of removed rows. */
export async function backlog(database: Database, since: number | null): Promise<Backlog> {
  const [row] = await plannedRows<readonly [number, number | null]>(database, {
    text: backlogText,
    parameters: [maxCounted, since === null ? '-infinity' : timestampOf(since)],
  });
  const [tombstones = 0, oldest = null] = row ?? [];
  return { tombstones, oldest };
}

const backlogText = `
  select count(*), (extract(epoch from min(deletion_timestamp)) * 1000)::bigint from (
    select deletion_timestamp from resources where deletion_timestamp is not null and deletion_timestamp >= $2::timestamptz
    order by deletion_timestamp, uid limit $1::bigint
  ) as oldest`;
