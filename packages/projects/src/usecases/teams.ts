import { invalid, Problem } from '@platform/kernel';
import { requireValid } from '@platform/resources';
import type { Principal } from '@platform/tokens';
import { createTeamBody, replaceTeamBody } from '../model/bodies.ts';
import type { Team } from '../model/records.ts';
import { administers, denied, seesAll, teamRole } from '../rules/access.ts';
import { changedFields } from '../rules/unchanged.ts';
import { insertedOrRefused } from './organization-insert.ts';
import type { ProjectPorts } from './ports.ts';
import { missing } from './require-project.ts';

/** Creates a team; admins of its Organization do. */
export async function createTeam(
  ports: ProjectPorts,
  principal: Principal,
  readBody: () => Promise<unknown>,
): Promise<Team> {
  if (principal.type !== 'operator' && !seesAll(principal)) throw denied();
  const {
    name,
    members,
    organization = ports.defaultOrganization,
  } = requireValid(createTeamBody, await readBody());
  if (!administers(principal, organization, ports.defaultOrganization)) throw denied();
  const result = await ports.teams.insert({ uid: ports.identifiers.uid(), name, organization, members });
  return insertedOrRefused(result, { what: 'team', name, organization });
}

/** Reads a team; its people and the admins of its Organization do. */
export async function getTeam(ports: ProjectPorts, principal: Principal, name: string): Promise<Team> {
  return await requireTeam(ports, principal, name, ['manager', 'reader']);
}

/** Replaces the people of a team. */
export async function replaceTeam(
  ports: ProjectPorts,
  principal: Principal,
  name: string,
  readBody: () => Promise<unknown>,
): Promise<Team> {
  const stored = await requireTeam(ports, principal, name, ['manager']);
  const { members, ...sent } = requireValid(replaceTeamBody, await readBody());
  const faults = changedFields(sent, { name: stored.name, organization: stored.organization });
  if (faults.length > 0) throw invalid(faults);
  const replaced = await ports.teams.replace({
    uid: stored.uid,
    name: stored.name,
    organization: stored.organization,
    members,
  });
  if (replaced === null) throw missing('team');
  return replaced;
}

/** Deletes a team that owns no project. */
export async function deleteTeam(ports: ProjectPorts, principal: Principal, name: string): Promise<void> {
  const stored = await requireTeam(ports, principal, name, ['manager']);
  const outcome = await ports.teams.remove(stored.uid);
  if (outcome === 'missing') throw missing('team');
  if (outcome === 'inUse')
    throw new Problem('in_use', `The team ${name} owns a project; give the project to somebody else first.`);
}

async function requireTeam(
  { teams, defaultOrganization }: ProjectPorts,
  principal: Principal,
  name: string,
  roles: readonly ('manager' | 'reader')[],
): Promise<Team> {
  const team = await teams.find(name);
  if (team === null) throw seesAll(principal) ? missing('team') : denied();
  const role = teamRole(principal, team, defaultOrganization);
  if (role === null || !roles.includes(role)) throw denied();
  return team;
}
