import { Problem } from '@platform/kernel';
import { requireValid } from '@platform/resources';
import { foldEmailCase, type Principal } from '@platform/tokens';
import { createProjectBody } from '../model/bodies.ts';
import type { Project } from '../model/records.ts';
import { administers, denied } from '../rules/access.ts';
import { wantedAddresses } from '../rules/addresses.ts';
import { insertedOrRefused, requireOwnOrigins } from './organization-insert.ts';
import type { ProjectPorts } from './ports.ts';
import { readFirst } from './read-first.ts';

/** Creates a project with its `production` environment. The creator owns it unless the body says otherwise. */
export async function createProject(
  ports: ProjectPorts,
  principal: Principal,
  query: URLSearchParams,
  readBody: () => Promise<unknown>,
): Promise<Project> {
  const body = await readFirst(async () => requireValid(createProjectBody, await readBody()));
  if (principal.type !== 'operator' && (principal.type !== 'user' || !principal.admin)) throw denied();
  const fields = body();
  const organization = fields.organization ?? ports.defaultOrganization;
  if (!administers(principal, organization, ports.defaultOrganization)) throw denied();
  const reuse = readReuse(query);
  const quarantine = ports.nameQuarantineDays * 86_400_000;
  const addresses = {
    url: fields.url ?? defaultUrl(ports, fields.name),
    customDomains: fields.custom_domains ?? [],
  };
  requireOwnOrigins(ports.publicUrl, wantedAddresses(addresses));
  const result = await ports.projects.insert(
    {
      uid: ports.identifiers.uid(),
      name: fields.name,
      organization,
      accessClass: fields.access_class ?? 'private',
      ...addresses,
      owner: fields.owner ?? { user: foldEmailCase(principal.email) },
      members: fields.members ?? [],
    },
    { uid: ports.identifiers.uid() },
    reuse ? null : new Date(ports.clock.now() - quarantine).toISOString(),
  );
  if (result.outcome === 'nameReserved') {
    const until = new Date(Date.parse(result.deletedAt) + quarantine).toISOString();
    throw new Problem(
      'already_exists',
      `A project named ${fields.name} was deleted, and its name is reserved until ${until}; an admin takes it before with ?reuse=true.`,
    );
  }
  return insertedOrRefused(result, { what: 'project', name: fields.name, organization });
}

function readReuse(query: URLSearchParams): boolean {
  const [value, ...more] = query.getAll('reuse');
  if (value === undefined) return false;
  if (more.length > 0 || (value !== 'true' && value !== 'false')) {
    throw new Problem('invalid_query', 'reuse must be true or false, once.');
  }
  return value === 'true';
}

/** The address of a project that gives none: `server.project_url_template` with its name. */
export function defaultUrl(
  { projectUrlTemplate }: Pick<ProjectPorts, 'projectUrlTemplate'>,
  name: string,
): string {
  return projectUrlTemplate.replaceAll('{project}', name);
}
