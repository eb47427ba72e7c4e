import type { FlowKey } from '@platform/oauth-proxy';
import type { Sql } from '@platform/postgres';
import { type FlowTable, instantOf } from './flow-table.ts';

/**
 * Deletes a live state or code and returns what was sealed with it. One statement: of concurrent ones the first locks the row, and
 * the others find it gone.
 */
export async function takeFlow(
  sql: Sql,
  table: FlowTable,
  key: FlowKey,
  now: number,
): Promise<string | null> {
  const [row] = await sql.rows<readonly [string]>(
    `delete from ${table}
     where hash = decode($1::text, 'hex') and extension_uid = $2::uuid and expires_at > $3::timestamptz
     returning sealed`,
    [key.hash, key.extensionUid, instantOf(now)],
  );
  return row === undefined ? null : row[0];
}
