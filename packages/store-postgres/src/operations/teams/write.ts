import type { AuditRecord } from '@platform/access';
import type { Sql } from '@platform/postgres';
import type { OrganizationInsert, Team, TeamDraft, TeamMember } from '@platform/projects';
import { eq, sql as expression } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { projects, teamMembers, teams } from '../../schema/projects.ts';
import { appendAudit } from '../audit/audit-store.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { findTeam } from './read.ts';

/** Inserts a team below a live Organization that stays live until the commit. */
export async function insertTeam(
  sql: Sql,
  draft: TeamDraft,
  audit: AuditRecord,
): Promise<OrganizationInsert<Team>> {
  const organization = await lockOrganization(sql, draft.organization);
  if (organization.outcome !== 'locked') return organization;
  const values = { uid: draft.uid, name: draft.name, organizationUid: organization.uid };
  const inserted = await query(sql, (db) =>
    db.insert(teams).values(values).onConflictDoNothing({ target: teams.name }).returning({ uid: teams.uid }),
  );
  if (inserted.length === 0) return { outcome: 'nameTaken' };
  await insertMembers(sql, draft.uid, draft.members);
  const record = await findTeam(sql, draft.name);
  if (record === null) return { outcome: 'nameTaken' };
  await appendAudit(sql, [audit]);
  return { outcome: 'created', record };
}

/** Locks a team for a change, then reads it. */
export async function lockTeam(sql: Sql, name: string): Promise<Team | null> {
  const locked = await query(sql, (db) =>
    db.select({ uid: teams.uid }).from(teams).where(eq(teams.name, name)).for('update'),
  );
  return locked.length === 0 ? null : await findTeam(sql, name);
}

/** Replaces the people of a locked team. */
export async function replaceTeamRow(sql: Sql, draft: TeamDraft): Promise<Team> {
  const revision = expression`${teams.revision} + 1`;
  await query(sql, (db) => db.update(teams).set({ revision }).where(eq(teams.uid, draft.uid)));
  await query(sql, (db) => db.delete(teamMembers).where(eq(teamMembers.teamUid, draft.uid)));
  await insertMembers(sql, draft.uid, draft.members);
  const record = await findTeam(sql, draft.name);
  if (record === null) throw new Error('a team was replaced that the transaction has not locked');
  return record;
}

/** Deletes a locked team with its list of people, unless it owns a project. A project that takes it as its owner holds its row. */
export async function removeTeam(sql: Sql, uid: string): Promise<'removed' | 'inUse'> {
  const owned = await query(sql, (db) =>
    db.select({ uid: projects.uid }).from(projects).where(eq(projects.ownerTeam, uid)).limit(1),
  );
  if (owned.length > 0) return 'inUse';
  await query(sql, (db) => db.delete(teams).where(eq(teams.uid, uid)));
  return 'removed';
}

async function insertMembers(sql: Sql, teamUid: string, members: readonly TeamMember[]): Promise<void> {
  if (members.length === 0) return;
  const values = members.map(({ email, role }) => ({ teamUid, email, role }));
  await query(sql, (db) => db.insert(teamMembers).values(values));
}
