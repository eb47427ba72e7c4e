import type { ClientSecretStore } from '@platform/projects';
import type { Sql } from '../../connection.ts';
import type { Patience } from '../../patience.ts';

const text = `
update extensions set client_secrets = $3::json
where uid = $1::uuid and client_secrets::jsonb = $2::jsonb
returning uid`;

/** Replaces the client secrets of an extension if they are still the expected ones, so that of concurrent rotations none is lost. */
export function createClientSecretStore(sql: Sql, patiently: Patience): ClientSecretStore {
  return {
    replaceClientSecrets: (extensionUid, expected, next) =>
      patiently(async () => {
        const updated = await sql.rows(text, [extensionUid, JSON.stringify(expected), JSON.stringify(next)]);
        return updated.length === 1;
      }),
  };
}
