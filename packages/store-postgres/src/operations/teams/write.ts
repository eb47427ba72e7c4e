import type { OrganizationInsert, Team, TeamDraft, TeamMember } from '@platform/projects';
import type { Sql } from '../../connection.ts';
import { arrayLiteral } from '../../literals.ts';
import { sqlState, stateOf } from '../../sqlstate.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { findTeam } from './find.ts';

/** Inserts a team below a live Organization that stays live until the commit. */
export async function insertTeam(sql: Sql, draft: TeamDraft): Promise<OrganizationInsert<Team>> {
  const organization = await lockOrganization(sql, draft.organization);
  if (organization.outcome !== 'locked') return organization;
  const inserted = await sql.rows(
    `insert into teams (uid, name, organization_resource_uid) values ($1::uuid, $2::text, $3::uuid)
     on conflict (name) do nothing returning uid`,
    [draft.uid, draft.name, organization.uid],
  );
  if (inserted.length === 0) return { outcome: 'nameTaken' };
  await insertMembers(sql, draft.uid, draft.members);
  const record = await findTeam(sql, draft.name);
  return record === null ? { outcome: 'nameTaken' } : { outcome: 'created', record };
}

/** Replaces the people of a team, whose row is locked meanwhile; null when it is gone. */
export async function replaceTeamRow(sql: Sql, draft: TeamDraft): Promise<Team | null> {
  const locked = await sql.rows('select uid from teams where uid = $1::uuid for update', [draft.uid]);
  if (locked.length === 0) return null;
  await sql.rows('delete from team_members where team_uid = $1::uuid', [draft.uid]);
  await insertMembers(sql, draft.uid, draft.members);
  return findTeam(sql, draft.name);
}

/** Deletes a team with its list of people, unless it owns a project. */
export async function removeTeam(sql: Sql, uid: string): Promise<'removed' | 'missing' | 'inUse'> {
  try {
    const removed = await sql.rows('delete from teams where uid = $1::uuid returning uid', [uid]);
    return removed.length === 1 ? 'removed' : 'missing';
  } catch (error) {
    if (stateOf(error) === sqlState.foreignKeyViolation) return 'inUse';
    throw error;
  }
}

async function insertMembers(sql: Sql, teamUid: string, members: readonly TeamMember[]): Promise<void> {
  await sql.rows(
    `insert into team_members (team_uid, email, role)
     select $1::uuid, person.email, person.role from unnest($2::text[], $3::text[]) as person (email, role)`,
    [teamUid, arrayLiteral(members.map(({ email }) => email)), arrayLiteral(members.map(({ role }) => role))],
  );
}
