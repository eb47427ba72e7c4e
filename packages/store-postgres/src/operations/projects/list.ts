import type { Sql } from '@platform/postgres';
import type { PageOf, PageQuery, Project, Viewer } from '@platform/projects';
import { selectProjectsOf, toProject } from './row.ts';
import { listParameters, visiblePage } from './visible.ts';

const text = selectProjectsOf(
  visiblePage('projects', [
    'select name from projects where owner_user = $1::text',
    `select name from projects where members <> '{}' and members @> array[$1::text]`,
    `select p.name from team_members m
      cross join lateral (select name from projects where owner_team = m.team_uid offset 0) as p where m.email = $1::text`,
  ]),
);

/** One page of the projects that the viewer may see, by name. */
export async function listProjectRows(
  sql: Sql,
  viewer: Viewer,
  defaultOrganization: string,
  page: PageQuery,
): Promise<PageOf<Project>> {
  const rows = await sql.rows(text, listParameters(viewer, defaultOrganization, page));
  return { items: rows.slice(0, page.limit).map(toProject), more: rows.length > page.limit };
}
