import type { Sql } from '../../connection.ts';
import { arrayLiteral } from '../../literals.ts';

/** Reads the revisions of the rows that exist. */
export async function revisions(sql: Sql, uids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  return new Map(await sql.rows<readonly [string, number]>(text, [arrayLiteral(uids)]));
}

const text = `
  select r.uid, r.revision from unnest($1::uuid[]) as wanted (uid)
  cross join lateral (select uid, revision from resources where uid = wanted.uid) as r`;
