import type { AuditRecord } from '@platform/access';
import type { Sql } from '@platform/postgres';
import {
  type AddressTaken,
  type NameReserved,
  type ProjectDraft,
  type ProjectInsert,
  productionEnvironment,
} from '@platform/projects';
import { and, eq, gt } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { environments, projects, reservedProjectNames } from '../../schema/projects.ts';
import { appendAudit } from '../audit/audit-store.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { takenAddresses } from './addresses.ts';
import { findProject } from './read.ts';
import { findOwnerTeam } from './replace.ts';
import { projectColumns } from './row.ts';

/** Ends the transaction of an insert, so that nothing is written. */
export class InsertRefused extends Error {
  readonly result: AddressTaken | NameReserved;

  constructor(result: AddressTaken | NameReserved) {
    super(result.outcome);
    this.result = result;
  }
}

/** Inserts a project with its `production` environment, below a live Organization that stays live until the commit. */
export async function insertProject(
  sql: Sql,
  draft: ProjectDraft,
  production: { readonly uid: string },
  reservedSince: string | null,
  audit: AuditRecord,
): Promise<ProjectInsert> {
  const organization = await lockOrganization(sql, draft.organization);
  const team = await findOwnerTeam(sql, draft.owner);
  if (organization.outcome === 'organizationMissing' && team === undefined)
    return { outcome: 'organizationAndTeamMissing' };
  if (organization.outcome !== 'locked') return organization;
  if (team === undefined) return { outcome: 'teamMissing' };
  const { uid, name } = draft;
  const values = { uid, name, organizationUid: organization.uid, ...projectColumns(draft, team) };
  const inserted = await query(sql, (db) =>
    db
      .insert(projects)
      .values(values)
      .onConflictDoNothing({ target: projects.name })
      .returning({ uid: projects.uid }),
  );
  if (inserted.length === 0) return { outcome: 'nameTaken' };
  const environment = { uid: production.uid, projectUid: uid, name: productionEnvironment };
  await query(sql, (db) => db.insert(environments).values(environment));
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
