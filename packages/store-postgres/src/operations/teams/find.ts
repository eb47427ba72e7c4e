import type { Sql } from '@platform/postgres';
import type { Team } from '@platform/projects';
import { selectTeam, toTeam } from './row.ts';

/** The team of that name, or null. */
export async function findTeam(sql: Sql, name: string): Promise<Team | null> {
  const [row] = await sql.rows(`${selectTeam} where t.name = $1::text`, [name]);
  return row === undefined ? null : toTeam(row);
}
