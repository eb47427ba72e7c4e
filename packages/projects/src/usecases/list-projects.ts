import { foldEmailCase } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import { renderProject } from '../kinds/project.ts';
import { renderTeam } from '../kinds/team.ts';
import type { PageQuery, PageRequest, Viewer } from '../ports/stores.ts';
import { denied } from '../rules/access.ts';
import { type RenderedPage, readPageOf } from './page.ts';
import type { ProjectPorts } from './ports.ts';

/** Lists the visible projects of a user: their own, and all projects of the Organizations that they administer. */
export async function listProjects(
  ports: ProjectPorts,
  principal: Principal,
  page: PageRequest,
): Promise<RenderedPage> {
  const viewer = viewerOf(principal);
  const read = (part: PageQuery) => ports.projects.list(viewer, ports.defaultOrganization, part);
  return await readPageOf(read, page, renderProject);
}

/** Lists the visible teams of a user: their own, and all teams of the Organizations that they administer. */
export async function listTeams(
  ports: ProjectPorts,
  principal: Principal,
  page: PageRequest,
): Promise<RenderedPage> {
  const viewer = viewerOf(principal);
  const read = (part: PageQuery) => ports.teams.list(viewer, ports.defaultOrganization, part);
  return await readPageOf(read, page, renderTeam);
}

function viewerOf(principal: Principal): Viewer {
  if (principal.type !== 'user' && principal.type !== 'operator') throw denied();
  return {
    email: foldEmailCase(principal.email),
    admin: principal.admin,
    operator: principal.type === 'operator',
  };
}
