import type { UsedStates } from '@platform/login';
import type { Sql } from '@platform/postgres';
import { sql as expression } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { instantOf } from '../../schema/columns.ts';
import { loginOnce } from '../../schema/index.ts';

/** The used states of logins, for all replicas. */
export function createUsedStates(sql: Sql): UsedStates {
  return {
    async markUsed(hash, expiresAt) {
      const [marked] = await query(sql, (db) =>
        db
          .insert(loginOnce)
          .values({ hash, sealed: null, expiresAt: instantOf(expiresAt) })
          .onConflictDoNothing({ target: loginOnce.hash })
          .returning({ at: expression<string>`date_trunc('milliseconds', clock_timestamp())` }),
      );
      return marked === undefined ? null : Date.parse(marked.at);
    },
  };
}
