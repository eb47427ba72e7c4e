import type { UsedStates } from '@platform/login';
import type { Sql } from '@platform/postgres';
import { query } from '../../drizzle.ts';
import { instantOf } from '../../schema/columns.ts';
import { loginOnce } from '../../schema/index.ts';

/** The used states of logins, for all replicas. */
export function createUsedStates(sql: Sql): UsedStates {
  return {
    async markUsed(hash, expiresAt) {
      const inserted = await query(sql, (db) =>
        db
          .insert(loginOnce)
          .values({ hash, sealed: null, expiresAt: instantOf(expiresAt) })
          .onConflictDoNothing({ target: loginOnce.hash })
          .returning({ hash: loginOnce.hash }),
      );
      return inserted.length === 1;
    },
  };
}
