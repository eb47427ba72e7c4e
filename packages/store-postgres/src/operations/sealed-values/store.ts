import type { SealedValueStore } from '@platform/key-rotation';
import type { Sql } from '@platform/postgres';
import { sealedTables } from './tables.ts';

type PageRow = readonly [id: string, sealed: string | null, projectUid: string, extensionUid: string];

/** RFC 3339, as elsewhere: the sessions of the platform are in UTC. */
const instant = (expression: string) =>
  `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

const agesText = `
select count(*)::int, ${instant('min(created_at)')}, ${instant('max(created_at)')}
from (select created_at from extension_signing_keys union all select created_at from oauth_signing_keys) as key`;

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
    async signingKeyAges() {
      const [row] = await sql.rows<readonly [number, string | null, string | null]>(agesText);
      const [count, oldest, newest] = row ?? [0, null, null];
      return { count, oldest, newest };
    },
  };
}
