import type { PageOf, PageQuery, Project, Viewer } from '@platform/projects';
import type { Sql } from '../../connection.ts';
import { selectProject, toProject } from './row.ts';
import { listParameters, seesOrganization } from './visible.ts';

const text = `${selectProject}
where p.name > $5::text and (
  ${seesOrganization}
  or p.owner_user = $1::text
  or p.members @> array[$1::text]
  or p.owner_team in (select m.team_uid from team_members m where m.email = $1::text))
order by p.name
limit $6::bigint`;

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
