import type { UserDirectory } from '@platform/login';
import type { Sql } from '@platform/postgres';
import type { Identifiers } from '@platform/resources';
import { sql as expression } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { users } from '../../schema/index.ts';

/** The users by issuer and subject; concurrent first logins of a user get the same uid. */
export function createUserDirectory(sql: Sql, identifiers: Pick<Identifiers, 'uid'>): UserDirectory {
  return {
    async upsert(user) {
      const [row] = await query(sql, (db) =>
        db
          .insert(users)
          .values({ uid: identifiers.uid(), ...user })
          .onConflictDoUpdate({
            target: [users.issuer, users.subject],
            set: { email: expression`excluded.email`, updatedAt: expression`now()` },
          })
          .returning({ uid: users.uid }),
      );
      if (row === undefined) throw new Error('the upsert of a user returned nothing');
      return row;
    },
  };
}
