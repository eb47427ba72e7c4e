import type { Jwk, SharedSigningKey, SigningKeyStore, StoredSigningKey } from '@platform/oauth-proxy';
import type { Sql } from '@platform/postgres';
import { instantOf } from '../login/instant.ts';

type Row = readonly [number, string, string, string];

const keyColumns = 'sequence, public_key, sealed_private_key, created_at';

/** The signing keys of the extensions, for all replicas. */
export function createSigningKeyStore(sql: Sql): SigningKeyStore {
  return {
    async list(extensionUid) {
      const rows = await sql.rows<Row>(
        `select ${keyColumns} from extension_signing_keys where extension_uid = $1::uuid order by sequence desc`,
        [extensionUid],
      );
      return rows.map(toKey);
    },
    async add(extensionUid, { sequence, publicKey, sealedPrivateKey, createdAt }) {
      // The lock orders this insert and a concurrent deletion of the extension: either no key is added, or the deletion removes it.
      await sql.rows(
        `insert into extension_signing_keys (extension_uid, ${keyColumns})
         select uid, $2::integer, $3::json, $4::text, $5::timestamptz from extensions where uid = $1::uuid for key share
         on conflict (extension_uid, sequence) do nothing`,
        [extensionUid, sequence, JSON.stringify(publicKey), sealedPrivateKey, instantOf(createdAt)],
      );
    },
    async removeBelow(extensionUid, sequence) {
      await sql.rows(
        'delete from extension_signing_keys where extension_uid = $1::uuid and sequence < $2::integer',
        [extensionUid, sequence],
      );
    },
    async listShared() {
      const rows = await sql.rows<readonly [...Row, string]>(
        `select ${keyColumns}, retired_at from oauth_signing_keys order by sequence desc`,
      );
      return rows.map(
        ([sequence, publicKey, sealedPrivateKey, createdAt, retiredAt]): SharedSigningKey => ({
          ...toKey([sequence, publicKey, sealedPrivateKey, createdAt]),
          retiredAt: Date.parse(retiredAt),
        }),
      );
    },
  };
}

function toKey([sequence, publicKey, sealedPrivateKey, createdAt]: Row): StoredSigningKey {
  return {
    sequence,
    publicKey: JSON.parse(publicKey) as Jwk,
    sealedPrivateKey,
    createdAt: Date.parse(createdAt),
  };
}
