import type { AuditEntry } from '@platform/access';
import { type Precondition, Problem, requireMet } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import { comparableFields, renderTeam, teamFields } from '../kinds/team.ts';
import { type CreateTeamBody, type ReplaceTeamBody, teamReadBack } from '../model/bodies.ts';
import type { Team, TeamMember } from '../model/records.ts';
import type { Sent, SentMembers } from '../model/sent.ts';
import type { ProjectTransaction } from '../ports/transactions.ts';
import { administers, denied, seesAll, teamRole } from '../rules/access.ts';
import { changesNothing, requireUnchanged } from '../rules/unchanged.ts';
import { type AuditedRequest, recordOf } from './audited.ts';
import { requireOrganization } from './faults-in-place.ts';
import { insertedOrRefused } from './organization-insert.ts';
import type { ProjectPorts } from './ports.ts';
import { missing } from './require-project.ts';
import { resultOrAllFaults, valueOrAllFaults } from './value-or-all-faults.ts';

/** Creates a team, for admins of its Organization. */
export async function createTeam(
  ports: ProjectPorts,
  request: AuditedRequest & { readonly principal: Principal; readonly body: Sent<CreateTeamBody> },
): Promise<Team> {
  const { principal, body } = request;
  if (principal.type !== 'operator' && !seesAll(principal)) throw denied();
  return await resultOrAllFaults(
    body,
    (value) => insertTeam(ports, request, value),
    (sent) => requireOrganization(ports, principal, sent),
  );
}

/** Inserts the team of a body without faults. */
async function insertTeam(
  ports: ProjectPorts,
  request: AuditedRequest & { readonly principal: Principal },
  { name, organization = ports.defaultOrganization, ...given }: CreateTeamBody,
): Promise<Team> {
  const { principal } = request;
  if (!administers(principal, organization, ports.defaultOrganization)) throw denied();
  const draft = { uid: ports.identifiers.uid(), name, organization, ...teamFields(given) };
  const entry = teamEntry('team.created', draft, draft.members);
  const result = await ports.teams.insert(draft, recordOf(ports, request, entry));
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

/** Replaces the fields of a team. */
export async function replaceTeam(
  ports: ProjectPorts,
  request: TeamRequest & { readonly body: Sent<ReplaceTeamBody> },
): Promise<Team> {
  return await ports.transactions.run(async (transaction) => {
    const stored = await lockTeam(transaction, ports, request);
    const requireSame = (sent: SentMembers) => requireUnchanged(sent, renderTeam(stored), teamReadBack);
    const sent = await valueOrAllFaults(request.body, requireSame);
    requireMet(request.precondition, stored);
    requireSame(sent);
    const fields = teamFields(sent);
    if (changesNothing(comparableFields(fields), comparableFields(stored))) return stored;
    await transaction.audit(recordOf(ports, request, teamEntry('team.updated', stored, fields.members)));
    const { uid, name, organization } = stored;
    return await transaction.teams.replace({ uid, name, organization, ...fields });
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

/** The entry of a write of a team. It has all members: they have roles in the projects of the team. */
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
