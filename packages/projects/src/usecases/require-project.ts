import { Problem } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import type { Project } from '../model/records.ts';
import { denied, mayDo, type ProjectAction, projectRole, seesAll } from '../rules/access.ts';
import type { ProjectPorts } from './ports.ts';

/**
 * The project, when the principal may do the action in it. Throws one and the same `forbidden` for a project that exists and one
 * that does not; only an admin is told `not_found`.
 */
export async function requireProject(
  { projects, defaultOrganization }: Pick<ProjectPorts, 'projects' | 'defaultOrganization'>,
  principal: Principal,
  name: string,
  action: ProjectAction,
): Promise<Project> {
  const project = await projects.find(name);
  if (project === null) throw seesAll(principal) ? missing('project') : denied();
  if (!mayDo(projectRole(principal, project, defaultOrganization), action)) throw denied();
  return project;
}

/** The 404 of a typed resource. */
export function missing(what: string): Problem {
  return new Problem('not_found', `There is no such ${what}.`);
}
