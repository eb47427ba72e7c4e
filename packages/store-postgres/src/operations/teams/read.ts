import type { Sql } from '@platform/postgres';
import type { Team, TeamMember } from '@platform/projects';
import { visibleList, visiblePage } from '../projects/visible.ts';

const columns = `
select t.uid, t.name, o.name, t.organization_resource_uid, t.created_at, t.revision,
  (select coalesce(json_agg(json_build_object('email', m.email, 'role', m.role) order by m.email), '[]')
    from team_members m where m.team_uid = t.uid)`;

/** The columns of a team with its people, and the joins they come from; append a condition. */
const selectTeam = `${columns}
from teams t
join resources o on o.uid = t.organization_resource_uid`;

/** SQL of the teams whose names a query selects, by name. Offset 0 keeps each look-up one by key, however many the planner expects. */
const selectTeamsOf = (page: string) => `/* select teams */ ${columns}
from ${page} as page
cross join lateral (select * from teams where name = page.name offset 0) as t
cross join lateral (select name from resources where uid = t.organization_resource_uid offset 0) as o
order by t.name`;

/** The team of that name, or null. */
export async function findTeam(sql: Sql, name: string): Promise<Team | null> {
  const [row] = await sql.rows(`${selectTeam} where t.name = $1::text`, [name]);
  return row === undefined ? null : toTeam(row);
}

/** One page of the teams that the viewer may see, by name. */
export const listTeamRows = visibleList(
  selectTeamsOf(
    visiblePage('teams', [
      `select t.name from team_members m
      cross join lateral (select name from teams where uid = m.team_uid offset 0) as t where m.email = $1::text`,
    ]),
  ),
  toTeam,
);

type TeamRow = readonly [
  uid: string,
  name: string,
  organization: string,
  organizationUid: string,
  createdAt: string,
  revision: number,
  members: string,
];

/** The team that a row of {@link selectTeam} holds. */
function toTeam(row: readonly unknown[]): Team {
  const [uid, name, organization, organizationUid, createdAt, revision, members] = row as TeamRow;
  return {
    uid,
    name,
    organization,
    organizationUid,
    revision,
    createdAt,
    members: JSON.parse(members) as TeamMember[],
  };
}
