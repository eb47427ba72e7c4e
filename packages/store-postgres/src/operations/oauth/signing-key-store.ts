import type { Jwk, SigningKeyStore, StoredSigningKey } from '@platform/oauth-proxy';
import type { Sql } from '../../connection.ts';
import { instantOf } from './flow-table.ts';

/** The signing keys of the proxy, for all replicas. */
export function createSigningKeyStore(sql: Sql): SigningKeyStore {
  return {
    async list() {
      const rows = await sql.rows<readonly [number, string, string, string]>(
        `select sequence, public_key, sealed_private_key, created_at from oauth_signing_keys order by sequence desc`,
      );
      return rows.map(
        ([sequence, publicKey, sealedPrivateKey, createdAt]): StoredSigningKey => ({
          sequence,
          publicKey: JSON.parse(publicKey) as Jwk,
          sealedPrivateKey,
          createdAt: Date.parse(createdAt),
        }),
      );
    },
    async add({ sequence, publicKey, sealedPrivateKey, createdAt }) {
      await sql.rows(
        `insert into oauth_signing_keys (sequence, public_key, sealed_private_key, created_at)
         values ($1::integer, $2::json, $3::text, $4::timestamptz) on conflict (sequence) do nothing`,
        [sequence, JSON.stringify(publicKey), sealedPrivateKey, instantOf(createdAt)],
      );
    },
    async removeBelow(sequence) {
      await sql.rows('delete from oauth_signing_keys where sequence < $1::integer', [sequence]);
    },
  };
}
