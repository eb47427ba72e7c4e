import { invalid } from '@platform/kernel';
import type { ReplaceProjectBody } from '../model/bodies.ts';
import type { Project } from '../model/records.ts';
import { templateUrl } from '../model/urls.ts';
import type { Rendered } from './kind.ts';

/** `server.project_url_template`. */
interface UrlTemplate {
  readonly projectUrlTemplate: string;
}

/** The fields of a project that a POST and a PUT set. A missing one gets its default; the default of the owner is the given one. */
export function projectFields(
  body: ReplaceProjectBody,
  { name, owner }: Pick<Project, 'name' | 'owner'>,
  template: UrlTemplate,
): Pick<Project, 'accessClass' | 'url' | 'customDomains' | 'owner' | 'members'> {
  return {
    accessClass: body.access_class ?? 'private',
    url: body.url ?? defaultUrl(template, name),
    customDomains: body.custom_domains ?? [],
    owner: body.owner ?? owner,
    members: body.members ?? [],
  };
}

/** The default URL of a project. Throws `validation_failed` for a name of version 0.24.0 that gives no valid URL. */
export function defaultUrl({ projectUrlTemplate }: UrlTemplate, name: string): string {
  const url = templateUrl(projectUrlTemplate, name);
  if (url !== null) return url;
  throw invalid([{ path: '/url', message: `server.project_url_template gives no valid URL to ${name}` }]);
}

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
