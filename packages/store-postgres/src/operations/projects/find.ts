import type { Sql } from '@platform/postgres';
import type { Project, ProjectOfAccount } from '@platform/projects';
import { selectProject, selectProjectOf, toProject } from './row.ts';

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
