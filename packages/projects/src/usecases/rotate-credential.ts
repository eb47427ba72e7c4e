import { type Precondition, requireMet } from '@platform/kernel';
import { requireValid } from '@platform/resources';
import type { Principal } from '@platform/tokens';
import { deploymentKind, newCredential } from '../kinds/deployment.ts';
import type { Rendered } from '../kinds/kind.ts';
import { rotateCredentialBody } from '../model/bodies.ts';
import type { Deployment } from '../model/records.ts';
import { contextOf } from './children.ts';
import type { ProjectPorts } from './ports.ts';
import { readFirst } from './read-first.ts';
import { lockProject, missing } from './require-project.ts';

/**
 * Gives a deployment a new bootstrap credential, which the answer alone shows. The old one stays valid for the overlap that is asked for,
 * not beyond its own expiry; one that was replaced before ends at once.
 */
export async function rotateCredential(
  ports: ProjectPorts,
  request: {
    readonly principal: Principal;
    readonly project: string;
    readonly name: string;
    readonly ifMatch: Precondition | null;
    readonly readBody: () => Promise<unknown>;
  },
): Promise<Rendered> {
  const body = await readFirst(async () => requireValid(rotateCredentialBody, await request.readBody()));
  return await ports.transactions.run(async (transaction) => {
    const project = await lockProject(transaction, ports, request, 'children.write');
    const deployment = await transaction.deployments.lock(project.uid, request.name);
    if (deployment === null) throw missing('deployment');
    const { overlap_seconds: overlapSeconds, expires_at: expiresAt } = body();
    const context = contextOf(ports, project, request.principal);
    const { credential, stored } = newCredential(context, expiresAt);
    requireMet(request.ifMatch, deployment);
    const overlapEnd = ports.clock.now() + overlapSeconds * 1000;
    const previousCredential = {
      hash: deployment.credentialHash,
      expiresAt: new Date(Math.min(overlapEnd, expiryOf(deployment))).toISOString(),
    };
    const rotated = await transaction.deployments.update(deployment.uid, { ...stored, previousCredential });
    return { ...deploymentKind.render(rotated, context), bootstrap_credential: credential };
  });
}

function expiryOf({ credentialExpiresAt }: Deployment): number {
  return credentialExpiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(credentialExpiresAt);
}
