import type { PageOf, PageQuery, Team, Viewer } from '@platform/projects';
import type { Sql } from '../../connection.ts';
import { listParameters, seesOrganization } from '../projects/visible.ts';
import { selectTeam, toTeam } from './row.ts';

const text = `${selectTeam}
where t.name > $5::text and (
  ${seesOrganization}
  or t.uid in (select m.team_uid from team_members m where m.email = $1::text))
order by t.name
limit $6::bigint`;

/** One page of the teams that the viewer may see, by name. */
export async function listTeamRows(
  sql: Sql,
  viewer: Viewer,
  defaultOrganization: string,
  page: PageQuery,
): Promise<PageOf<Team>> {
  const rows = await sql.rows(text, listParameters(viewer, defaultOrganization, page));
  return { items: rows.slice(0, page.limit).map(toTeam), more: rows.length > page.limit };
}
