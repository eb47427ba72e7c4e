import type { Team, TeamMember } from '@platform/projects';

/** The columns of a team with its people, and where they come from; put a condition behind it. */
export const selectTeam = `
select t.uid, t.name, o.name, t.organization_resource_uid, t.created_at,
  (select coalesce(json_agg(json_build_object('email', m.email, 'role', m.role) order by m.email), '[]')
    from team_members m where m.team_uid = t.uid)
from teams t
join resources o on o.uid = t.organization_resource_uid`;

type TeamRow = readonly [
  uid: string,
  name: string,
  organization: string,
  organizationUid: string,
  createdAt: string,
  members: string,
];

/** The team that a row of {@link selectTeam} holds. */
export function toTeam(row: readonly unknown[]): Team {
  const [uid, name, organization, organizationUid, createdAt, members] = row as TeamRow;
  return {
    uid,
    name,
    organization,
    organizationUid,
    createdAt,
    members: JSON.parse(members) as TeamMember[],
  };
}
