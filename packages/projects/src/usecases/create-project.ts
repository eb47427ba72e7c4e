import { foldEmailCase, Problem } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import { projectFields } from '../kinds/project.ts';
import type { CreateProjectBody } from '../model/bodies.ts';
import type { Project } from '../model/records.ts';
import type { Sent } from '../model/sent.ts';
import { administers, denied } from '../rules/access.ts';
import { wantedAddresses } from '../rules/addresses.ts';
import { type AuditedRequest, recordOf } from './audited.ts';
import { requireFreeAddresses, requireOrganization } from './faults-in-place.ts';
import { insertedOrRefused, requireOwnerTeam, requireOwnOrigins } from './organization-insert.ts';
import type { ProjectPorts } from './ports.ts';
import { resultOrAllFaults } from './value-or-all-faults.ts';

interface CreateProjectRequest extends AuditedRequest {
  readonly principal: Principal;
  readonly body: Sent<CreateProjectBody>;
  /** Whether to create the project although its name is reserved. */
  readonly reuse: boolean;
}

/** Creates a project with its `production` environment. By default the creator owns it. */
export async function createProject(ports: ProjectPorts, request: CreateProjectRequest): Promise<Project> {
  const { principal } = request;
  if (principal.type !== 'operator' && (principal.type !== 'user' || !principal.admin)) throw denied();
  return await resultOrAllFaults(
    request.body,
    (body) => insertProject(ports, request, body, foldEmailCase(principal.email)),
    (sent) => requireOwnerTeam(ports, sent),
    (sent) => requireOrganization(ports, principal, sent),
    (sent) => requireFreeAddresses(ports, principal, sent, null),
  );
}

/** Inserts the project of a body without faults. */
async function insertProject(
  ports: ProjectPorts,
  request: CreateProjectRequest,
  body: CreateProjectBody,
  creator: string,
): Promise<Project> {
  const { principal, reuse } = request;
  const { name, organization = ports.defaultOrganization } = body;
  if (!administers(principal, organization, ports.defaultOrganization)) throw denied();
  const quarantine = ports.nameQuarantineDays * 86_400_000;
  const fields = projectFields(body, { name, owner: { user: creator } }, ports);
  requireOwnOrigins(ports.publicUrl, wantedAddresses(fields));
  const uid = ports.identifiers.uid();
  const { owner, members, url } = fields;
  const result = await ports.projects.insert(
    { uid, name, organization, ...fields },
    { uid: ports.identifiers.uid() },
    reuse ? null : new Date(ports.clock.now() - quarantine).toISOString(),
    recordOf(ports, request, {
      action: 'project.created',
      resource: { kind: 'Project', name, uid },
      project: name,
      details: { owner, members, url },
    }),
  );
  if (result.outcome === 'nameReserved') {
    const until = new Date(Date.parse(result.deletedAt) + quarantine).toISOString();
    throw new Problem(
      'already_exists',
      `A project named ${name} was deleted, and its name is reserved until ${until}; an admin can take it earlier with ?reuse=true.`,
    );
  }
  return insertedOrRefused(result, { what: 'project', name, organization });
}
