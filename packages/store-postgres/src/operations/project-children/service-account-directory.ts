import type { Sql } from '@platform/postgres';
import type { ServiceAccountDirectory, ServiceAccountRecord } from '@platform/tokens';
import { readClaims } from '../../schema/projects.ts';

/** Accounts of one project with the same issuer that a raw token is compared with, at most: matching is bounded work. */
const maxCandidates = 1000;
/**
 * Of these, those whose claims have at most so many bytes together: five hundred for each. Attack: accounts with the longest claims fill
 * the memory, and keep the process busy, with each token.
 */
const maxClaimBytes = 512 * 1024;

const select = `
select a.uid, a.email, p.name, a.issuer_url, a.claims
from service_accounts a join projects p on p.uid = a.project_uid`;

const byIssuer = `
with candidates as (${select}
  where p.name = $1::text and a.issuer_url = $2::text order by a.uid limit ${maxCandidates})
select uid, email, name, issuer_url, claims from (
  select *, sum(octet_length(claims::text)) over (order by uid) as bytes from candidates) as measured
where bytes <= ${maxClaimBytes}`;

/** Finds service accounts for the token model. */
export function createServiceAccountDirectory(sql: Sql): ServiceAccountDirectory {
  return {
    async findByEmail(email) {
      const [row] = await sql.rows(`${select} where a.email = $1::text`, [email]);
      return row === undefined ? undefined : toAccount(row);
    },
    async listByIssuer(project, issuerUrl) {
      return (await sql.rows(byIssuer, [project, issuerUrl])).map(toAccount);
    },
    async hasIssuer(issuerUrl) {
      const text = 'select exists (select from service_accounts where issuer_url = $1::text)';
      const [row] = await sql.rows<readonly [boolean]>(text, [issuerUrl]);
      return row?.[0] === true;
    },
  };
}

function toAccount(row: readonly unknown[]): ServiceAccountRecord {
  const [uid, email, project, issuerUrl, claims] = row as readonly [string, string, string, string, string];
  return { uid, email, project, issuerUrl, claims: readClaims(claims) };
}
