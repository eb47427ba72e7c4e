import type { Sql } from '@platform/postgres';
import type { PageOf, PageQuery, Team, Viewer } from '@platform/projects';
import { listParameters, visiblePage } from '../projects/visible.ts';
import { selectTeam, selectTeamsOf, toTeam } from './row.ts';

/** The team of that name, or null. */
export async function findTeam(sql: Sql, name: string): Promise<Team | null> {
  const [row] = await sql.rows(`${selectTeam} where t.name = $1::text`, [name]);
  return row === undefined ? null : toTeam(row);
}

const text = selectTeamsOf(
  visiblePage('teams', [
    `select t.name from team_members m
      cross join lateral (select name from teams where uid = m.team_uid offset 0) as t where m.email = $1::text`,
  ]),
);

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
