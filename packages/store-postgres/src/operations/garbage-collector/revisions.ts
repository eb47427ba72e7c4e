import { arrayLiteral, type Database } from '@platform/postgres';
import { plannedRows } from './planned.ts';

/** Reads the revisions of the rows that exist. */
export async function revisions(
  database: Database,
  uids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return new Map(
    await plannedRows<readonly [string, number]>(database, { text, parameters: [arrayLiteral(uids)] }),
  );
}

const text = `
  select r.uid, r.revision from unnest($1::uuid[]) as wanted (uid)
  cross join lateral (select uid, revision from resources where uid = wanted.uid) as r`;
