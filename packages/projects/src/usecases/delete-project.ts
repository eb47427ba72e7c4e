import { type Precondition, requireMet } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import { type AuditedRequest, recordOf } from './audited.ts';
import type { ProjectPorts } from './ports.ts';
import { lockProject } from './require-project.ts';

/** Deletes a project with everything below it; its bootstrap credentials and extensions end with it. */
export async function deleteProject(
  ports: ProjectPorts,
  request: AuditedRequest & {
    readonly principal: Principal;
    readonly project: string;
    readonly precondition: Precondition | null;
  },
): Promise<void> {
  await ports.transactions.run(async (transaction) => {
    const project = await lockProject(transaction, ports, request, 'project.write');
    requireMet(request.precondition, project);
    const { name, uid } = project;
    const resource = { kind: 'Project', name, uid };
    await transaction.audit(recordOf(ports, request, { action: 'project.deleted', resource, project: name }));
    await transaction.projects.remove(uid);
  });
}
