import type { Jwk, SigningKeyStore, StoredSigningKey } from '@platform/oauth-proxy';
import type { Sql } from '@platform/postgres';
import { and, desc, eq, sql as expression, lt } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { instantOf } from '../../schema/columns.ts';
import { extensionSigningKeys, oauthSigningKeys } from '../../schema/index.ts';

/** The signing keys of the extensions, for all replicas. */
export function createSigningKeyStore(sql: Sql): SigningKeyStore {
  const keys = extensionSigningKeys;
  return {
    async list(extensionUid) {
      const rows = await query(sql, (db) =>
        db.select().from(keys).where(eq(keys.extensionUid, extensionUid)).orderBy(desc(keys.sequence)),
      );
      return rows.map(toKey);
    },
    async add(extensionUid, { sequence, publicKey, sealedPrivateKey, createdAt }) {
      // Raw SQL: drizzle cannot build an insert of a select that locks. The lock orders this insert and a concurrent deletion of the
      // extension: either no key is added, or the deletion removes it.
      await query(sql, (db) =>
        db.execute(expression`
          insert into ${keys} (extension_uid, sequence, public_key, sealed_private_key, created_at)
          select uid, ${sequence}::integer, ${JSON.stringify(publicKey)}::json, ${sealedPrivateKey}::text,
            ${instantOf(createdAt)}::timestamptz
          from extensions where uid = ${extensionUid}::uuid for key share
          on conflict (extension_uid, sequence) do nothing`),
      );
    },
    async removeBelow(extensionUid, sequence) {
      await query(sql, (db) =>
        db.delete(keys).where(and(eq(keys.extensionUid, extensionUid), lt(keys.sequence, sequence))),
      );
    },
    async listShared() {
      const rows = await query(sql, (db) =>
        db.select().from(oauthSigningKeys).orderBy(desc(oauthSigningKeys.sequence)),
      );
      return rows.map((row) => ({ ...toKey(row), retiredAt: Date.parse(row.retiredAt) }));
    },
  };
}

function toKey({
  sequence,
  publicKey,
  sealedPrivateKey,
  createdAt,
}: Pick<
  typeof oauthSigningKeys.$inferSelect,
  'sequence' | 'publicKey' | 'sealedPrivateKey' | 'createdAt'
>): StoredSigningKey {
  return {
    sequence,
    publicKey: JSON.parse(publicKey) as Jwk,
    sealedPrivateKey,
    createdAt: Date.parse(createdAt),
  };
}
