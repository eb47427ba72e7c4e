import type { FlowEntry } from '@platform/oauth-proxy';
import type { Sql } from '@platform/postgres';
import { type FlowTable, instantOf } from './flow-table.ts';

/** Keeps a state or code. */
export async function saveFlow(sql: Sql, table: FlowTable, entry: FlowEntry): Promise<void> {
  await sql.rows(
    `insert into ${table} (hash, extension_uid, sealed, expires_at)
     values (decode($1::text, 'hex'), $2::uuid, $3::text, $4::timestamptz)`,
    [entry.hash, entry.extensionUid, entry.sealed, instantOf(entry.expiresAt)],
  );
}
