import type { Rendered } from '../kinds/kind.ts';
import type { Project, Team } from '../model/records.ts';

/** A project as answers show it. */
export function renderProject(project: Project): Rendered {
  return {
    uid: project.uid,
    name: project.name,
    organization: project.organization,
    organization_resource_uid: project.organizationUid,
    access_class: project.accessClass,
    url: project.url,
    custom_domains: project.customDomains,
    contested_addresses: project.contested,
    owner: project.owner,
    members: project.members,
    revision: project.revision,
    created_at: project.createdAt,
  };
}

/** A team as answers show it. */
export function renderTeam(team: Team): Rendered {
  return {
    uid: team.uid,
    name: team.name,
    organization: team.organization,
    organization_resource_uid: team.organizationUid,
    members: team.members,
    revision: team.revision,
    created_at: team.createdAt,
  };
}
