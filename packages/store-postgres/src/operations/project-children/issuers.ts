import type { Sql } from '@platform/postgres';
import type { ServiceAccount } from '@platform/projects';

/** Counts only when the issuer is new to the project, which happens as often as a project may have issuers. */
const statement = `
select case when not exists (
  select from service_accounts where issuer_url = $3::text and project_uid = $1::uuid and uid <> $2::uuid
) then (
  select count(distinct issuer_url)::int from service_accounts where project_uid = $1::uuid and uid <> $2::uuid
) end`;

/** How many different issuers the other service accounts of the project have; null when one of them has the issuer of this one. */
export async function countOtherIssuers(
  sql: Sql,
  { projectUid, uid, issuerUrl }: Pick<ServiceAccount, 'projectUid' | 'uid' | 'issuerUrl'>,
): Promise<number | null> {
  const [row] = await sql.rows<readonly [number | null]>(statement, [projectUid, uid, issuerUrl]);
  return row?.[0] ?? null;
}
