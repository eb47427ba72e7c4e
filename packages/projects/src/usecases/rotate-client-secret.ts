import { Problem } from '@platform/kernel';
import { newClientSecret, rotatedSecrets } from '@platform/oauth-proxy';
import type { Principal } from '@platform/tokens';
import { extensionKind } from '../kinds/extension.ts';
import type { ProjectPorts } from './ports.ts';
import { missing, requireProject } from './require-project.ts';

/** Concurrent rotations of one extension, at most, before one gives up. */
const maxTries = 5;

/** Gives an extension a new client secret; the one before stays valid until the next rotation. The answer alone shows it. */
export async function rotateClientSecret(
  ports: ProjectPorts,
  request: { readonly principal: Principal; readonly project: string; readonly name: string },
): Promise<Record<string, unknown>> {
  const project = await requireProject(ports, request.principal, request.project, 'children.write');
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const extension = await ports.extensions.find(project.uid, request.name);
    if (extension === null) throw missing('extension');
    const { secret, stored } = newClientSecret(ports, {
      projectUid: project.uid,
      extensionUid: extension.uid,
    });
    const next = rotatedSecrets(extension.clientSecrets, stored);
    if (await ports.extensions.replaceClientSecrets(extension.uid, extension.clientSecrets, next)) {
      return { ...extensionKind.render(extension, { ...ports, project }), client_secret: secret };
    }
  }
  throw new Problem('contention', 'The secret is being rotated by others; try again.', {
    retryAfterSeconds: 1,
  });
}
