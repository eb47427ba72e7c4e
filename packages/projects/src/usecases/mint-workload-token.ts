import { type Clock, invalid, Problem, secretHash } from '@platform/kernel';
import { type IssuedToken, type TokenIssuer, workloadKind } from '@platform/tokens';
import { z } from 'zod';
import { type Sent, valueOfSent } from '../model/sent.ts';
import { addressOf } from '../model/urls.ts';
import type { DeploymentDirectory, ProjectStore } from '../ports/stores.ts';

/** The shortest lifetime in seconds: a shorter one could expire through clock skew alone. */
const minTtlSeconds = 60;

/** The body of `POST /api/v1/identity/token`; {@link workloadTokenSchema} also limits the lifetime. */
export const workloadTokenBody = z.strictObject({
  audience: z.string().regex(/^[^\p{C}]{1,1024}$/u, 'must be 1 to 1024 printable characters'),
  ttl_seconds: z.int('must be a whole number of seconds').optional(),
});

export type WorkloadTokenRequest = z.output<typeof workloadTokenBody>;

/** A workload token and its audience. */
export interface WorkloadGrant extends IssuedToken {
  readonly audience: string;
}

/**
 * Exchanges a deployment's bootstrap credential for a workload token with the requested audience and lifetime. Throws `unauthenticated` for
 * an invalid, expired or revoked credential.
 */
export async function mintWorkloadToken(
  ports: {
    readonly deployments: DeploymentDirectory;
    readonly projects: Pick<ProjectStore, 'hasAddress'>;
    readonly tokens: TokenIssuer;
    readonly clock: Clock;
  },
  credential: string,
  body: Sent<WorkloadTokenRequest>,
): Promise<WorkloadGrant> {
  const identity = await ports.deployments.findByCredentialHash(secretHash(credential), ports.clock.now());
  if (identity === null)
    throw new Problem('unauthenticated', 'The bootstrap credential is invalid, expired or revoked.');
  const { audience, ttl_seconds: ttl } = valueOfSent(body);
  // Attack: a workload token for the URL of a project is presented to the app as an ingress token (RFC 8725 section 3.11).
  if (isWebUrl(audience) && (await ports.projects.hasAddress(addressOf(audience)))) {
    throw invalid([{ path: '/audience', message: 'must not be the URL or a domain of a project' }]);
  }
  const { project, projectUid, environment, deployment } = identity;
  const issued = ports.tokens.issue(
    workloadKind,
    { audience, project, projectUid, environment, deployment },
    ttl,
  );
  return { ...issued, audience };
}

/** The schema of the body with the configured longest lifetime. */
export function workloadTokenSchema(max: number) {
  return workloadTokenBody.refine(
    ({ ttl_seconds: ttl }) => ttl === undefined || (ttl >= Math.min(minTtlSeconds, max) && ttl <= max),
    {
      path: ['ttl_seconds'],
      message: `must be from ${Math.min(minTtlSeconds, max)} to ${max}`,
    },
  );
}

function isWebUrl(text: string): boolean {
  return /^https?:/i.test(text) && URL.canParse(text);
}
