import { type Precondition, requireMet } from '@platform/kernel';
import { createClientSecret, rotatedSecrets } from '@platform/oauth-proxy';
import type { Principal } from '@platform/tokens';
import { extensionKind } from '../kinds/extension.ts';
import type { Rendered } from '../kinds/kind.ts';
import { type AuditedRequest, childEntry, recordOf } from './audited.ts';
import type { ProjectPorts } from './ports.ts';
import { lockProject, missing } from './require-project.ts';

/** Gives an extension a new client secret, which only this response contains. The old one stays valid until the next rotation. */
export async function rotateClientSecret(
  ports: ProjectPorts,
  request: AuditedRequest & {
    readonly principal: Principal;
    readonly project: string;
    readonly name: string;
    readonly precondition: Precondition | null;
  },
): Promise<Rendered> {
  return await ports.transactions.run(async (transaction) => {
    const project = await lockProject(transaction, ports, request, 'children.write');
    const extension = await transaction.extensions.lock(project.uid, request.name);
    if (extension === null) throw missing('extension');
    requireMet(request.precondition, extension);
    const identity = { projectUid: project.uid, extensionUid: extension.uid };
    const { secret, stored } = createClientSecret(ports, identity);
    const clientSecrets = rotatedSecrets(extension.clientSecrets, stored);
    const rotated = await transaction.extensions.update(extension.uid, { clientSecrets });
    const entry = childEntry(extensionKind, 'extension.secret_rotated', { project, child: extension });
    await transaction.audit(recordOf(ports, request, entry));
    return { ...extensionKind.render(rotated, { ...ports, project }), client_secret: secret };
  });
}
