import type { Project } from '@platform/projects';
import type { Sql } from '../../connection.ts';
import { selectProject, toProject } from './row.ts';

/** The project of that name, or null. */
export async function findProject(sql: Sql, name: string): Promise<Project | null> {
  const [row] = await sql.rows(`${selectProject} where p.name = $1::text`, [name]);
  return row === undefined ? null : toProject(row);
}
