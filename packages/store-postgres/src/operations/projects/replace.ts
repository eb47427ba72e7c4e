import type { Sql } from '@platform/postgres';
import type { AddressTaken, Project, ProjectDraft, ProjectOwner } from '@platform/projects';
import { and, eq, sql as expression } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { projects, serviceAccounts, teams } from '../../schema/projects.ts';
import { lostAddressRace, takenAddresses } from './addresses.ts';
import { findProject } from './read.ts';
import { projectColumns } from './row.ts';

/** Locks a project and share-locks the team that owns it, then reads both: each statement sees what is committed when it has its lock. */
export async function lockProject(sql: Sql, name: string, mode: 'update' | 'share'): Promise<Project | null> {
  const [locked] = await query(sql, (db) =>
    db.select({ team: projects.ownerTeam }).from(projects).where(eq(projects.name, name)).for(mode),
  );
  if (locked === undefined) return null;
  const { team } = locked;
  if (team !== null) {
    await query(sql, (db) =>
      db.select({ uid: teams.uid }).from(teams).where(eq(teams.uid, team)).for('share'),
    );
  }
  return await findProject(sql, name);
}

/** Locks a service account of a project against deletion; false when the project has none with that uid. */
export async function lockServiceAccount(sql: Sql, projectUid: string, uid: string): Promise<boolean> {
  const locked = await query(sql, (db) =>
    db
      .select({ uid: serviceAccounts.uid })
      .from(serviceAccounts)
      .where(and(eq(serviceAccounts.uid, uid), eq(serviceAccounts.projectUid, projectUid)))
      .for('key share'),
  );
  return locked.length > 0;
}

/** Replaces what may change of a locked project. */
export async function replaceProjectRow(
  sql: Sql,
  draft: ProjectDraft,
): Promise<AddressTaken | { outcome: 'replaced'; record: Project } | { outcome: 'teamMissing' }> {
  const team = await findOwnerTeam(sql, draft.owner);
  if (team === undefined) return { outcome: 'teamMissing' };
  const changes = { ...projectColumns(draft, team), revision: expression`${projects.revision} + 1` };
  try {
    await query(sql, (db) => db.update(projects).set(changes).where(eq(projects.uid, draft.uid)));
  } catch (error) {
    if (lostAddressRace(error)) return { outcome: 'addressTaken', addresses: [] };
    throw error;
  }
  const taken = await takenAddresses(sql, draft.uid);
  if (taken !== null) return taken;
  const record = await findProject(sql, draft.name);
  if (record === null) throw new Error('a project was replaced that the transaction has not locked');
  return { outcome: 'replaced', record };
}

/** The uid of the team that is to own a project, kept from being deleted until the commit; null for a person, undefined when it is missing. */
export async function findOwnerTeam(sql: Sql, owner: ProjectOwner): Promise<string | null | undefined> {
  if ('user' in owner) return null;
  const { team: name } = owner;
  const [team] = await query(sql, (db) =>
    db.select({ uid: teams.uid }).from(teams).where(eq(teams.name, name)).for('key share'),
  );
  return team?.uid;
}
