import { type Precondition, requireMet } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import { deploymentKind, newCredential, type RotateCredentialBody } from '../kinds/deployment.ts';
import type { Rendered } from '../kinds/kind.ts';
import type { Deployment } from '../model/records.ts';
import { type Sent, valueOfSent } from '../model/sent.ts';
import { type AuditedRequest, childEntry, recordOf } from './audited.ts';
import { contextOf } from './children.ts';
import type { ProjectPorts } from './ports.ts';
import { lockProject, missing } from './require-project.ts';

/**
 * Gives a deployment a new bootstrap credential, which only this response contains. The old one stays valid for the requested overlap,
 * but not beyond its own expiry; one that was replaced earlier becomes invalid at once.
 */
export async function rotateCredential(
  ports: ProjectPorts,
  request: AuditedRequest & {
    readonly principal: Principal;
    readonly project: string;
    readonly name: string;
    readonly precondition: Precondition | null;
    readonly body: Sent<RotateCredentialBody>;
  },
): Promise<Rendered> {
  return await ports.transactions.run(async (transaction) => {
    const project = await lockProject(transaction, ports, request, 'children.write');
    const deployment = await transaction.deployments.lock(project.uid, request.name);
    if (deployment === null) throw missing('deployment');
    const { overlap_seconds: overlapSeconds, expires_at: expiresAt } = valueOfSent(request.body);
    const context = contextOf(ports, project, request.principal);
    requireMet(request.precondition, deployment);
    const { credential, stored } = newCredential(context, expiresAt);
    const overlapEnd = ports.clock.now() + overlapSeconds * 1000;
    const rotated = await transaction.deployments.update(deployment.uid, {
      ...stored,
      previousCredentialHash: deployment.credentialHash,
      previousCredentialExpiresAt: new Date(Math.min(overlapEnd, expiryOf(deployment))).toISOString(),
    });
    const entry = childEntry(deploymentKind, 'deployment.credential_rotated', {
      project,
      child: deployment,
      details: { overlapSeconds },
    });
    await transaction.audit(recordOf(ports, request, entry));
    return { ...deploymentKind.render(rotated, context), bootstrap_credential: credential };
  });
}

function expiryOf({ credentialExpiresAt }: Deployment): number {
  return credentialExpiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(credentialExpiresAt);
}
