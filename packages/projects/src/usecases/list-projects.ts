import { foldEmailCase, type Principal } from '@platform/tokens';
import type { Viewer } from '../ports/stores.ts';
import { denied } from '../rules/access.ts';
import { type RenderedPage, readPage, renderPageOf } from './page.ts';
import type { ProjectPorts } from './ports.ts';
import { renderProject, renderTeam } from './project-view.ts';

/** Lists the projects that a person may see: all of the Organizations they administer, and their own. */
export async function listProjects(
  ports: ProjectPorts,
  principal: Principal,
  query: URLSearchParams,
): Promise<RenderedPage> {
  const page = await ports.projects.list(viewerOf(principal), ports.defaultOrganization, readPage(query));
  return renderPageOf(page, renderProject);
}

/** Lists the teams that a person may see: all of the Organizations they administer, and their own. */
export async function listTeams(
  ports: ProjectPorts,
  principal: Principal,
  query: URLSearchParams,
): Promise<RenderedPage> {
  const page = await ports.teams.list(viewerOf(principal), ports.defaultOrganization, readPage(query));
  return renderPageOf(page, renderTeam);
}

function viewerOf(principal: Principal): Viewer {
  if (principal.type !== 'user' && principal.type !== 'operator') throw denied();
  return {
    email: foldEmailCase(principal.email),
    admin: principal.admin,
    operator: principal.type === 'operator',
  };
}
