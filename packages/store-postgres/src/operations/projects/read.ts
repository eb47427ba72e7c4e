import type { Sql } from '@platform/postgres';
import type { Project, ProjectOfAccount } from '@platform/projects';
import { selectProject, selectProjectOf, selectProjectsOf, toProject } from './row.ts';
import { visibleList, visiblePage } from './visible.ts';

/** The project of that name, or null. */
export async function findProject(sql: Sql, name: string): Promise<Project | null> {
  const [row] = await sql.rows(`${selectProject} where p.name = $1::text`, [name]);
  return row === undefined ? null : toProject(row);
}

const textForAccount = `${selectProjectOf('$2::uuid')} where p.name = $1::text`;

/** The project of that name and whether it has that service account, or null. */
export async function findProjectForAccount(
  sql: Sql,
  name: string,
  accountUid: string,
): Promise<ProjectOfAccount | null> {
  // A token could name an account by a text that is not a uid; such an account does not exist.
  const uid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(accountUid) ? accountUid : null;
  const [row] = await sql.rows(textForAccount, [name, uid]);
  return row === undefined ? null : { project: toProject(row), accountExists: row.at(-1) === true };
}

/** One page of the projects that the viewer may see, by name. */
export const listProjectRows = visibleList(
  selectProjectsOf(
    visiblePage('projects', [
      'select name from projects where owner_user = $1::text',
      `select name from projects where members <> '{}' and members @> array[$1::text]`,
      `select p.name from team_members m
      cross join lateral (select name from projects where owner_team = m.team_uid offset 0) as p where m.email = $1::text`,
    ]),
  ),
  toProject,
);
