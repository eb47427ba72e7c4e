import { parseArrayLiteral } from '@platform/postgres';
import type { Project, ProjectDraft } from '@platform/projects';

const columns = `
select p.uid, p.name, o.name, p.organization_resource_uid, p.access_class, p.url, p.custom_domains,
  p.owner_user, t.name, p.members, p.created_at, p.revision,
  array(select a.address from project_addresses a where a.project_uid = p.uid and a.contested order by a.address),
  array(select m.email from team_members m where m.team_uid = p.owner_team order by m.email)`;

/** The columns of a project, and the joins they come from; append a condition. */
export const selectProject = `${columns}
from projects p
join resources o on o.uid = p.organization_resource_uid
left join teams t on t.uid = p.owner_team`;

/** The same with whether a service account (the parameter) is one of the project, by its primary key. */
export const selectProjectOf = (account: string) =>
  selectProject.replace(
    '\nfrom projects p',
    `, coalesce((select a.project_uid from service_accounts a where a.uid = ${account}) = p.uid, false)\nfrom projects p`,
  );

/** SQL of the projects whose names a query selects, by name. Offset 0 keeps each look-up one by key, however many the planner expects. */
export const selectProjectsOf = (page: string) => `/* select projects */ ${columns}
from ${page} as page
cross join lateral (select * from projects where name = page.name offset 0) as p
cross join lateral (select name from resources where uid = p.organization_resource_uid offset 0) as o
left join lateral (select name from teams where uid = p.owner_team offset 0) as t on true
order by p.name`;

/** The columns of the fields that a create and a replacement set; `ownerTeam` is the uid of the owning team, or null. */
export function projectColumns(draft: ProjectDraft, ownerTeam: string | null) {
  return {
    accessClass: draft.accessClass,
    url: draft.url,
    urlOrigin: new URL(draft.url).origin,
    customDomains: [...draft.customDomains],
    ownerUser: 'user' in draft.owner ? draft.owner.user : null,
    ownerTeam,
    members: [...draft.members],
  };
}

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
  revision: number,
  contested: string,
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
    revision,
    contested,
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
    contested: parseArrayLiteral(contested),
    revision,
    createdAt,
  };
}
