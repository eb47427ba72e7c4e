import { invalid } from '@platform/kernel';
import { requireValid } from '@platform/resources';
import type { Principal } from '@platform/tokens';
import { replaceProjectBody } from '../model/bodies.ts';
import type { Project } from '../model/records.ts';
import { changedFields } from '../rules/unchanged.ts';
import { defaultUrl } from './create-project.ts';
import { ownerTeamMissing } from './organization-insert.ts';
import type { ProjectPorts } from './ports.ts';
import { missing, requireProject } from './require-project.ts';

/** Replaces a project's fields. Name and Organization never change; an owner that is left out stays. */
export async function replaceProject(
  ports: ProjectPorts,
  principal: Principal,
  name: string,
  readBody: () => Promise<unknown>,
): Promise<Project> {
  const stored = await requireProject(ports, principal, name, 'project.write');
  const fields = requireValid(replaceProjectBody, await readBody());
  const faults = changedFields(fields, { name: stored.name, organization: stored.organization });
  if (faults.length > 0) throw invalid(faults);
  const result = await ports.projects.replace({
    uid: stored.uid,
    name: stored.name,
    organization: stored.organization,
    accessClass: fields.access_class ?? 'private',
    url: fields.url ?? defaultUrl(ports, stored.name),
    customDomains: fields.custom_domains ?? [],
    owner: fields.owner ?? stored.owner,
    members: fields.members ?? [],
  });
  switch (result.outcome) {
    case 'replaced':
      return result.record;
    case 'missing':
      throw missing('project');
    case 'teamMissing':
      throw ownerTeamMissing();
  }
}
