import type { AuditEntry } from '@platform/access';
import { type Precondition, Problem, requireMet } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import type { Rendered } from '../kinds/kind.ts';
import { type CreateTeamBody, type ReplaceTeamBody, teamReadBack } from '../model/bodies.ts';
import type { Team, TeamMember } from '../model/records.ts';
import { type Sent, type SentMembers, valueOfSent } from '../model/sent.ts';
import type { ProjectTransaction } from '../ports/transactions.ts';
import { administers, denied, seesAll, teamRole } from '../rules/access.ts';
import { changesNothing, requireUnchanged } from '../rules/unchanged.ts';
import { type AuditedRequest, recordOf } from './audited.ts';
import { insertedOrRefused } from './organization-insert.ts';
import type { ProjectPorts } from './ports.ts';
import { missing } from './require-project.ts';
import { valueOrAllFaults } from './value-or-all-faults.ts';

/** A team as answers show it. */
export function renderTeam(team: Team): Rendered {
  return {
    uid: team.uid,
    name: team.name,
    organization: team.organization,
    organization_resource_uid: team.organizationUid,
    members: team.members,
    revision: team.revision,
    created_at: team.createdAt,
  };
}

/** Creates a team, for admins of its Organization. */
export async function createTeam(
  ports: ProjectPorts,
  request: AuditedRequest & { readonly principal: Principal; readonly body: Sent<CreateTeamBody> },
): Promise<Team> {
  const { principal, body } = request;
  if (principal.type !== 'operator' && !seesAll(principal)) throw denied();
  const { name, members, organization = ports.defaultOrganization } = valueOfSent(body);
  if (!administers(principal, organization, ports.defaultOrganization)) throw denied();
  const uid = ports.identifiers.uid();
  const entry = teamEntry('team.created', { name, uid }, members);
  const result = await ports.teams.insert(
    { uid, name, organization, members },
    recordOf(ports, request, entry),
  );
  return insertedOrRefused(result, { what: 'team', name, organization });
}

/** Reads a team, for its members and the admins of its Organization. */
export async function getTeam(ports: ProjectPorts, principal: Principal, name: string): Promise<Team> {
  return allowed(ports, principal, await ports.teams.find(name), ['manager', 'reader']);
}

/** A request to change a team, with the versions that the caller accepts. */
interface TeamRequest extends AuditedRequest {
  readonly principal: Principal;
  readonly team: string;
  readonly precondition: Precondition | null;
}

/** Replaces the members of a team. */
export async function replaceTeam(
  ports: ProjectPorts,
  request: TeamRequest & { readonly body: Sent<ReplaceTeamBody> },
): Promise<Team> {
  return await ports.transactions.run(async (transaction) => {
    const stored = await lockTeam(transaction, ports, request);
    const requireSame = (sent: SentMembers) => requireUnchanged(sent, renderTeam(stored), teamReadBack);
    const { members, ...sent } = await valueOrAllFaults(request.body, requireSame);
    const { uid, name, organization } = stored;
    requireMet(request.precondition, stored);
    requireSame(sent);
    if (changesNothing({ members: byAddress(members) }, { members: byAddress(stored.members) }))
      return stored;
    await transaction.audit(recordOf(ports, request, teamEntry('team.updated', stored, members)));
    return await transaction.teams.replace({ uid, name, organization, members });
  });
}

/** Deletes a team that owns no project. */
export async function deleteTeam(ports: ProjectPorts, request: TeamRequest): Promise<void> {
  await ports.transactions.run(async (transaction) => {
    const stored = await lockTeam(transaction, ports, request);
    requireMet(request.precondition, stored);
    if ((await transaction.teams.remove(stored.uid)) === 'inUse')
      throw new Problem(
        'in_use',
        `The team ${stored.name} owns a project; change the owner of the project first.`,
      );
    await transaction.audit(recordOf(ports, request, teamEntry('team.deleted', stored)));
  });
}

/** The entry of a write of a team. Its people are told in full: they have roles in the projects of the team. */
function teamEntry(
  action: 'team.created' | 'team.updated' | 'team.deleted',
  { name, uid }: Pick<Team, 'name' | 'uid'>,
  members?: readonly TeamMember[],
): AuditEntry {
  return { action, resource: { kind: 'Team', name, uid }, details: members === undefined ? {} : { members } };
}

/** Locks the team, and checks that the principal may change it. */
async function lockTeam(
  transaction: ProjectTransaction,
  ports: ProjectPorts,
  { principal, team }: TeamRequest,
): Promise<Team> {
  return allowed(ports, principal, await transaction.lockTeam(team), ['manager']);
}

function allowed(
  { defaultOrganization }: ProjectPorts,
  principal: Principal,
  team: Team | null,
  roles: readonly ('manager' | 'reader')[],
): Team {
  if (team === null) throw seesAll(principal) ? missing('team') : denied();
  const role = teamRole(principal, team, defaultOrganization);
  if (role === null || !roles.includes(role)) throw denied();
  return team;
}

function byAddress(members: readonly TeamMember[]): readonly (readonly [string, string])[] {
  return members
    .map(({ email, role }) => [email, role] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
