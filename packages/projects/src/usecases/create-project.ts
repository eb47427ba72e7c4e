import { foldEmailCase, invalid, Problem } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import type { CreateProjectBody } from '../model/bodies.ts';
import type { Project } from '../model/records.ts';
import { type Sent, valueOfSent } from '../model/sent.ts';
import { templateUrl } from '../model/urls.ts';
import { administers, denied } from '../rules/access.ts';
import { wantedAddresses } from '../rules/addresses.ts';
import { type AuditedRequest, recordOf } from './audited.ts';
import { insertedOrRefused, requireOwnOrigins } from './organization-insert.ts';
import type { ProjectPorts } from './ports.ts';

/** Creates a project with its `production` environment. By default the creator owns it. */
export async function createProject(
  ports: ProjectPorts,
  request: AuditedRequest & {
    readonly principal: Principal;
    readonly body: Sent<CreateProjectBody>;
    /** Whether to create the project although its name is reserved. */
    readonly reuse: boolean;
  },
): Promise<Project> {
  const { principal, reuse } = request;
  if (principal.type !== 'operator' && (principal.type !== 'user' || !principal.admin)) throw denied();
  const fields = valueOfSent(request.body);
  const organization = fields.organization ?? ports.defaultOrganization;
  if (!administers(principal, organization, ports.defaultOrganization)) throw denied();
  const quarantine = ports.nameQuarantineDays * 86_400_000;
  const addresses = {
    url: fields.url ?? defaultUrl(ports, fields.name),
    customDomains: fields.custom_domains ?? [],
  };
  requireOwnOrigins(ports.publicUrl, wantedAddresses(addresses));
  const uid = ports.identifiers.uid();
  const owner = fields.owner ?? { user: foldEmailCase(principal.email) };
  const result = await ports.projects.insert(
    {
      uid,
      name: fields.name,
      organization,
      accessClass: fields.access_class ?? 'private',
      ...addresses,
      owner,
      members: fields.members ?? [],
    },
    { uid: ports.identifiers.uid() },
    reuse ? null : new Date(ports.clock.now() - quarantine).toISOString(),
    recordOf(ports, request, {
      action: 'project.created',
      resource: { kind: 'Project', name: fields.name, uid },
      project: fields.name,
      details: { owner, members: fields.members ?? [], url: addresses.url },
    }),
  );
  if (result.outcome === 'nameReserved') {
    const until = new Date(Date.parse(result.deletedAt) + quarantine).toISOString();
    throw new Problem(
      'already_exists',
      `A project named ${fields.name} was deleted, and its name is reserved until ${until}; an admin can take it earlier with ?reuse=true.`,
    );
  }
  return insertedOrRefused(result, { what: 'project', name: fields.name, organization });
}

/** The default URL of a project. Throws `validation_failed` for a name of version 0.24.0 that gives no valid URL. */
export function defaultUrl(
  { projectUrlTemplate }: Pick<ProjectPorts, 'projectUrlTemplate'>,
  name: string,
): string {
  const url = templateUrl(projectUrlTemplate, name);
  if (url !== null) return url;
  throw invalid([{ path: '/url', message: `server.project_url_template gives no valid URL to ${name}` }]);
}
