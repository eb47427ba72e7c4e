import type { AuditRecord } from '@platform/access';
import { arrayLiteral, type Sql } from '@platform/postgres';
import {
  type AddressTaken,
  type NameReserved,
  type ProjectDraft,
  type ProjectInsert,
  productionEnvironment,
} from '@platform/projects';
import { and, eq, gt } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { reservedProjectNames } from '../../schema/projects.ts';
import { appendAudit } from '../audit/audit-store.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { takenAddresses } from './addresses.ts';
import { findProject } from './read.ts';
import { findOwnerTeam } from './replace.ts';

/** Ends the transaction of an insert, so that nothing is written. */
export class InsertRefused extends Error {
  readonly result: AddressTaken | NameReserved;

  constructor(result: AddressTaken | NameReserved) {
    super(result.outcome);
    this.result = result;
  }
}

const text = `
with project as (
  insert into projects
    (uid, name, organization_resource_uid, access_class, url, url_origin, custom_domains, owner_user, owner_team, members)
  values
    ($1::uuid, $2::text, $3::uuid, $4::text, $5::text, $6::text, $7::text[], $8::text, $9::uuid, $10::text[])
  on conflict (name) do nothing
  returning uid
)
insert into environments (uid, project_uid, name)
select $11::uuid, project.uid, '${productionEnvironment}' from project
returning uid`;

/** Inserts a project with its `production` environment, below a live Organization that stays live until the commit. */
export async function insertProject(
  sql: Sql,
  draft: ProjectDraft,
  production: { readonly uid: string },
  reservedSince: string | null,
  audit: AuditRecord,
): Promise<ProjectInsert> {
  const organization = await lockOrganization(sql, draft.organization);
  if (organization.outcome !== 'locked') return organization;
  const team = await findOwnerTeam(sql, draft.owner);
  if (team === undefined) return { outcome: 'teamMissing' };
  const inserted = await sql.rows(text, [
    draft.uid,
    draft.name,
    organization.uid,
    draft.accessClass,
    draft.url,
    new URL(draft.url).origin,
    arrayLiteral(draft.customDomains),
    'user' in draft.owner ? draft.owner.user : null,
    team,
    arrayLiteral(draft.members),
    production.uid,
  ]);
  if (inserted.length === 0) return { outcome: 'nameTaken' };
  // Behind the insert, which waits for a project of that name that is being deleted: its reservation is seen then.
  const reserved = reservedSince === null ? null : await findReservation(sql, draft.name, reservedSince);
  if (reserved !== null) throw new InsertRefused(reserved);
  const taken = await takenAddresses(sql, draft.uid);
  if (taken !== null) throw new InsertRefused(taken);
  const record = await findProject(sql, draft.name);
  if (record === null) return { outcome: 'nameTaken' };
  await appendAudit(sql, [audit]);
  return { outcome: 'created', record };
}

async function findReservation(sql: Sql, name: string, since: string): Promise<NameReserved | null> {
  const { deletedAt } = reservedProjectNames;
  const [row] = await query(sql, (db) =>
    db
      .select({ deletedAt })
      .from(reservedProjectNames)
      .where(and(eq(reservedProjectNames.name, name), gt(deletedAt, since))),
  );
  return row === undefined ? null : { outcome: 'nameReserved', deletedAt: row.deletedAt };
}
