import { Problem } from '@platform/kernel';
import {
  type IssuedToken,
  ingressKind,
  type Principal,
  type Roles,
  type TokenIssuer,
  type UserPrincipal,
} from '@platform/tokens';
import type { Project } from '../model/records.ts';
import { denied, projectRole } from '../rules/access.ts';
import { trustedAddresses } from '../rules/addresses.ts';
import type { ProjectPorts } from './ports.ts';

/** An ingress token, and the other fields of the forward-auth response. */
export interface IngressGrant extends IssuedToken {
  readonly audience: string;
  readonly project: string;
  readonly user: { readonly uid: string; readonly email: string };
}

/**
 * Mints the token that opens a project's URL behind the ingress. A public project opens for every session, a
 * private one for its people; everything else, unknown projects included, is one `forbidden`.
 */
export async function mintIngressToken(
  {
    projects,
    defaultOrganization,
    tokens,
    roles,
  }: Pick<ProjectPorts, 'projects' | 'defaultOrganization'> & {
    readonly tokens: TokenIssuer;
    readonly roles: Pick<Roles, 'partsThatCount'>;
  },
  principal: Principal,
  name: string,
): Promise<IngressGrant> {
  if (principal.type !== 'user' && principal.type !== 'operator') throw denied();
  const project = await requireVisit({ projects, defaultOrganization }, principal, name);
  const { session: facts } = principal;
  if (facts === undefined) throw new Error('an ingress token needs the session that it comes from');
  const user = identityOf(principal);
  const session = { ...facts, ...roles.partsThatCount({ ...facts, email: user.email }) };
  const issued = tokens.issue(ingressKind, {
    ...user,
    project: project.name,
    projectUrl: project.url,
    session,
  });
  if (issued.expiresIn < 1) throw new Problem('unauthenticated', 'The session ends now.');
  return { ...issued, audience: project.url, project: project.name, user };
}

/** The project, when the user may open it; throws one `forbidden` for a private and an unknown project. */
export async function requireVisit(
  { projects, defaultOrganization }: Pick<ProjectPorts, 'projects' | 'defaultOrganization'>,
  user: UserPrincipal,
  name: string,
): Promise<Project> {
  const project = await projects.find(name);
  if (project === null) throw denied();
  const isClosed = project.accessClass === 'private';
  if (isClosed && projectRole(user, project, defaultOrganization) === null) throw denied();
  // Attack: two projects with one URL, of which the attacker opens the public one and shows the token at the other.
  if (trustedAddresses(project).url === '') {
    throw new Problem('forbidden', 'The URL of the project belongs to another project.');
  }
  return project;
}

function identityOf({ uid, email }: UserPrincipal): { uid: string; email: string } {
  return { uid, email };
}
