import type { Project } from '@platform/projects';
import { parseArrayLiteral } from '../../literals.ts';

/** The columns of a project, and where they come from; put a condition behind it. */
export const selectProject = `
select p.uid, p.name, o.name, p.organization_resource_uid, p.access_class, p.url, p.custom_domains,
  p.owner_user, t.name, p.members, p.created_at,
  array(select m.email from team_members m where m.team_uid = p.owner_team order by m.email)
from projects p
join resources o on o.uid = p.organization_resource_uid
left join teams t on t.uid = p.owner_team`;

type ProjectRow = readonly [
  uid: string,
  name: string,
  organization: string,
  organizationUid: string,
  accessClass: 'public' | 'private',
  url: string,
  customDomains: string,
  ownerUser: string | null,
  ownerTeam: string | null,
  members: string,
  createdAt: string,
  ownerTeamMembers: string,
];

/** The project that a row of {@link selectProject} holds. */
export function toProject(row: readonly unknown[]): Project {
  const [
    uid,
    name,
    organization,
    organizationUid,
    accessClass,
    url,
    domains,
    user,
    team,
    members,
    createdAt,
    people,
  ] = row as ProjectRow;
  return {
    uid,
    name,
    organization,
    organizationUid,
    accessClass,
    url,
    customDomains: parseArrayLiteral(domains),
    owner: team === null ? { user: user ?? '' } : { team },
    members: parseArrayLiteral(members),
    ownerTeamMembers: parseArrayLiteral(people),
    createdAt,
  };
}
