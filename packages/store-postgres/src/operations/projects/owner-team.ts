import type { ProjectOwner } from '@platform/projects';
import type { Sql } from '../../connection.ts';

/** The uid of the team that is to own a project, kept from being deleted until the commit; null for a person, undefined when it is missing. */
export async function findOwnerTeam(sql: Sql, owner: ProjectOwner): Promise<string | null | undefined> {
  if ('user' in owner) return null;
  const [row] = await sql.rows<readonly [string]>(
    'select uid from teams where name = $1::text for key share',
    [owner.team],
  );
  return row?.[0];
}
