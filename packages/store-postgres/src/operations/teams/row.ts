import type { Team, TeamMember } from '@platform/projects';

const columns = `
select t.uid, t.name, o.name, t.organization_resource_uid, t.created_at, t.revision,
  (select coalesce(json_agg(json_build_object('email', m.email, 'role', m.role) order by m.email), '[]')
    from team_members m where m.team_uid = t.uid)`;

/** The columns of a team with its people, and the joins they come from; append a condition. */
export const selectTeam = `${columns}
from teams t
join resources o on o.uid = t.organization_resource_uid`;

/** SQL of the teams whose names a query selects, by name. Offset 0 keeps each look-up one by key, however many the planner expects. */
export const selectTeamsOf = (page: string) => `/* select teams */ ${columns}
from ${page} as page
cross join lateral (select * from teams where name = page.name offset 0) as t
cross join lateral (select name from resources where uid = t.organization_resource_uid offset 0) as o
order by t.name`;

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
export function toTeam(row: readonly unknown[]): Team {
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
