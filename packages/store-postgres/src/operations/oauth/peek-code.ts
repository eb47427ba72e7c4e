import type { FlowKey } from '@platform/oauth-proxy';
import type { Sql } from '@platform/postgres';
import { instantOf } from './flow-table.ts';

/** What was sealed with a live code, which stays. */
export async function peekCode(sql: Sql, key: FlowKey, now: number): Promise<string | null> {
  const [row] = await sql.rows<readonly [string]>(
    `select sealed from oauth_codes
     where hash = decode($1::text, 'hex') and extension_uid = $2::uuid and expires_at > $3::timestamptz`,
    [key.hash, key.extensionUid, instantOf(now)],
  );
  return row === undefined ? null : row[0];
}
