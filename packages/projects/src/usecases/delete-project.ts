import type { Principal } from '@platform/tokens';
import type { ProjectPorts } from './ports.ts';
import { missing, requireProject } from './require-project.ts';

/** Deletes a project with everything below it; its bootstrap credentials and extensions end with it. */
export async function deleteProject(ports: ProjectPorts, principal: Principal, name: string): Promise<void> {
  const project = await requireProject(ports, principal, name, 'project.write');
  if (!(await ports.projects.remove(project.uid))) throw missing('project');
}
