import type { SealedValueStore } from '@platform/key-rotation';
import type { Sql } from '@platform/postgres';
import { sealedTables } from './tables.ts';

type PageRow = readonly [id: string, sealed: string | null, projectUid: string, extensionUid: string];

/** RFC 3339, as elsewhere: the sessions of the platform are in UTC. */
const instant = (expression: string) =>
  `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

const ages = (source: string) =>
  `select count(*)::int, ${instant('min(created_at)')}, ${instant('max(created_at)')} from (${source}) as one`;
const signingKeyAges = ages(
  'select created_at from extension_signing_keys union all select created_at from oauth_signing_keys',
);
const clientSecretAges = ages(`
  select coalesce((secret ->> 'createdAt')::timestamptz, e.created_at) as created_at
  from extensions e cross join json_array_elements(e.client_secrets) as secret`);
const credentialEnds = `
select count(*)::int, (count(*) filter (where credential_expires_at is null))::int, ${instant('min(credential_expires_at)')}
from deployments where credential_expires_at is null or credential_expires_at > now()`;

type AgesRow = readonly [count: number, oldest: string | null, newest: string | null];
type EndsRow = readonly [count: number, withoutEnd: number, nextExpiry: string | null];

/** The sealed values of all areas. Each statement reads a page or writes one row. */
export function createSealedValueStore(sql: Sql): SealedValueStore {
  return {
    async page(kind, after, limit) {
      const { page, first } = sealedTables[kind];
      const rows = await sql.rows<PageRow>(page, [after ?? first, limit]);
      return {
        values: rows.flatMap(([id, sealed, projectUid, extensionUid]) =>
          sealed === null ? [] : [{ id, sealed, projectUid, extensionUid }],
        ),
        last: rows.at(-1)?.[0] ?? null,
      };
    },
    async replace(kind, { id, sealed }, replacement) {
      const rows = await sql.rows(sealedTables[kind].replace, [id, sealed, replacement]);
      return rows.length === 1;
    },
    async secretAges() {
      const agesOf = async (text: string) => {
        const [[count, oldest, newest] = [0, null, null]] = await sql.rows<AgesRow>(text);
        return { count, oldest, newest };
      };
      const [[count, withoutEnd, nextExpiry] = [0, 0, null]] = await sql.rows<EndsRow>(credentialEnds);
      return {
        signingKeys: await agesOf(signingKeyAges),
        clientSecrets: await agesOf(clientSecretAges),
        credentials: { count, withoutEnd, nextExpiry },
      };
    },
  };
}
