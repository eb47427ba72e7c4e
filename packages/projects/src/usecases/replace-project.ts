import { type Precondition, requireMet } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import { projectFields, renderProject } from '../kinds/project.ts';
import { projectReadBack, type ReplaceProjectBody } from '../model/bodies.ts';
import type { Project } from '../model/records.ts';
import type { Sent } from '../model/sent.ts';
import { wantedAddresses } from '../rules/addresses.ts';
import { changesNothing, requireUnchanged } from '../rules/unchanged.ts';
import { type AuditedRequest, changedMembers, recordOf } from './audited.ts';
import { proveAddresses, requireProven } from './domain-challenges.ts';
import { requireFreeAddresses } from './faults-in-place.ts';
import {
  addressTaken,
  ownerTeamMissing,
  requireOwnerTeam,
  requireOwnOrigins,
} from './organization-insert.ts';
import type { ProjectPorts } from './ports.ts';
import { lockProject, requireProject } from './require-project.ts';
import { resultOrAllFaults } from './value-or-all-faults.ts';

/** Replaces a project's fields. Name and Organization are immutable; without `owner` the present one stays. */
export async function replaceProject(
  ports: ProjectPorts,
  request: AuditedRequest & {
    readonly principal: Principal;
    readonly project: string;
    readonly precondition: Precondition | null;
    readonly body: Sent<ReplaceProjectBody>;
  },
): Promise<Project> {
  // DNS is queried before any row is locked; the transaction below repeats the authorization.
  const seen = await requireProject(ports, request.principal, request.project, 'project.write');
  const sent = await resultOrAllFaults(
    request.body,
    async (value) => {
      // Only a new owner, so that most requests need no look-up.
      if (!changesNothing({ owner: value.owner ?? seen.owner }, seen)) await requireOwnerTeam(ports, value);
      requireOwnOrigins(ports.publicUrl, wantedAddresses(projectFields(value, seen, ports)));
      return value;
    },
    (members) => requireUnchanged(members, renderProject(seen), projectReadBack),
    (members) => requireOwnerTeam(ports, members),
    (members) => requireFreeAddresses(ports, request.principal, members, seen),
  );
  const fieldsOf = (project: Project) => projectFields(sent, project, ports);
  const proven = await proveAddresses(ports, request.principal, seen, wantedAddresses(fieldsOf(seen)));
  return await ports.transactions.run(async (transaction) => {
    const stored = await lockProject(transaction, ports, request, 'project.write');
    requireMet(request.precondition, stored);
    requireUnchanged(sent, renderProject(stored), projectReadBack);
    const changes = fieldsOf(stored);
    const wanted = wantedAddresses(changes);
    requireOwnOrigins(ports.publicUrl, wanted);
    requireProven(ports, request.principal, stored, wanted, stored.uid === seen.uid ? proven : new Set());
    if (changesNothing(changes, stored) && stored.contested.length === 0) return stored;
    const { uid, name, organization } = stored;
    const result = await transaction.projects.replace({ uid, name, organization, ...changes });
    if (result.outcome === 'teamMissing') throw ownerTeamMissing();
    if (result.outcome === 'addressTaken') throw addressTaken(result);
    // The record has the owner and the members in full: a change of them is a change of roles.
    const { owner, members, url } = changes;
    const details = { changed: changedMembers(changes, stored), owner, members, url };
    const resource = { kind: 'Project', name, uid };
    await transaction.audit(
      recordOf(ports, request, { action: 'project.updated', resource, project: name, details }),
    );
    return result.record;
  });
}
