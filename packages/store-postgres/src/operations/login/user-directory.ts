import type { UserDirectory } from '@platform/login';
import type { Identifiers } from '@platform/resources';
import type { Sql } from '../../connection.ts';

const text = `
insert into users (uid, issuer, subject, email) values ($1::uuid, $2::text, $3::text, $4::text)
on conflict (issuer, subject) do update set email = excluded.email, updated_at = now()
returning uid`;

/** The people who have logged in, kept by issuer and subject; racing first logins give one uid. */
export function createUserDirectory(sql: Sql, identifiers: Pick<Identifiers, 'uid'>): UserDirectory {
  return {
    async upsert({ issuer, subject, email }) {
      const [row] = await sql.rows<readonly [string]>(text, [identifiers.uid(), issuer, subject, email]);
      if (row === undefined) throw new Error('the upsert of a user returned nothing');
      return { uid: row[0] };
    },
  };
}
