import type { KnownKeyStore } from '@platform/key-rotation';
import type { Sql } from '@platform/postgres';
import { asc, sql as expression } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { knownKeys } from '../../schema/index.ts';

/** The keys that processes of the API were started with. */
export function createKnownKeyStore(sql: Sql): KnownKeyStore {
  return {
    async record(keys) {
      if (keys.length === 0) return;
      // In one order: processes that start at the same time would otherwise lock the rows of each other.
      const sorted = keys
        .map(({ purpose, id }) => ({ purpose, id }))
        .sort((a, b) => (`${a.purpose} ${a.id}` < `${b.purpose} ${b.id}` ? -1 : 1));
      await query(sql, (db) =>
        db
          .insert(knownKeys)
          .values(sorted)
          .onConflictDoUpdate({
            target: [knownKeys.purpose, knownKeys.id],
            set: { lastUsedAt: expression`now()` },
          }),
      );
    },
    async list() {
      const rows = await query(sql, (db) =>
        db
          .select()
          .from(knownKeys)
          .orderBy(asc(knownKeys.purpose), asc(knownKeys.firstUsedAt), asc(knownKeys.id)),
      );
      const instant = (text: string) => new Date(text).toISOString();
      return rows.map((row) => ({
        ...row,
        firstUsedAt: instant(row.firstUsedAt),
        lastUsedAt: instant(row.lastUsedAt),
      }));
    },
  };
}
