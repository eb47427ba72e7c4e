import { Problem } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import type { Project } from '../model/records.ts';
import type { ProjectTransaction } from '../ports/transactions.ts';
import { denied, mayDo, type ProjectAction, projectRole, seesAll } from '../rules/access.ts';
import type { ProjectPorts } from './ports.ts';

/**
 * The project, when the principal may do the action in it. Throws one and the same `forbidden` for a project that exists and one
 * that does not; only an admin is told `not_found`. For reads: a change is decided by {@link lockProject}.
 */
export async function requireProject(
  { projects, defaultOrganization }: Pick<ProjectPorts, 'projects' | 'defaultOrganization'>,
  principal: Principal,
  name: string,
  action: ProjectAction,
): Promise<Project> {
  return allowed(await projects.find(name), principal, action, defaultOrganization);
}

/** The same on the locked row, for a change: of the project itself (`update`), or of what is below it (`share`). */
export async function lockProject(
  transaction: Pick<ProjectTransaction, 'lockProject'>,
  { defaultOrganization }: Pick<ProjectPorts, 'defaultOrganization'>,
  request: { readonly principal: Principal; readonly project: string },
  action: ProjectAction,
): Promise<Project> {
  const mode = action === 'project.write' ? 'update' : 'share';
  const project = await transaction.lockProject(request.project, mode);
  return allowed(project, request.principal, action, defaultOrganization);
}

function allowed(
  project: Project | null,
  principal: Principal,
  action: ProjectAction,
  defaultOrganization: string,
): Project {
  if (project === null) throw seesAll(principal) ? missing('project') : denied();
  if (!mayDo(projectRole(principal, project, defaultOrganization), action)) throw denied();
  return project;
}

/** The 404 of a typed resource. */
export function missing(what: string): Problem {
  return new Problem('not_found', `There is no such ${what}.`);
}
