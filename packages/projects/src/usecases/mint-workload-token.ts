import { type Clock, invalid, Problem, secretHash } from '@platform/kernel';
import { requireValid } from '@platform/resources';
import { type IssuedToken, type TokenIssuer, workloadKind } from '@platform/tokens';
import { z } from 'zod';
import { addressOf } from '../model/canonical-url.ts';
import type { DeploymentDirectory, ProjectStore } from '../ports/stores.ts';
import { readFirst } from './read-first.ts';

/** The shortest lifetime that can be asked for, in seconds: below it, clock skew eats the token. */
const minTtlSeconds = 60;

/** The body of `POST /api/v1/identity/token`; the longest lifetime is a setting and judged apart. */
export const workloadTokenBody = z.strictObject({
  audience: z.string().regex(/^[^\p{C}]{1,1024}$/u, 'must be 1 to 1024 printable characters'),
  ttl_seconds: z.int('must be a whole number of seconds').optional(),
});

/** A workload token and the audience it is for. */
export interface WorkloadGrant extends IssuedToken {
  readonly audience: string;
}

/**
 * Exchanges a deployment's bootstrap credential for a workload token with the audience that is asked for, taken as is. A
 * lifetime may be asked for up to the configured one. Throws `unauthenticated` for a bad, expired or revoked credential.
 */
export async function mintWorkloadToken(
  ports: {
    readonly deployments: DeploymentDirectory;
    readonly projects: Pick<ProjectStore, 'hasAddress'>;
    readonly tokens: TokenIssuer;
    readonly maxTtlSeconds: number;
    readonly clock: Clock;
  },
  credential: string,
  readBody: () => Promise<unknown>,
): Promise<WorkloadGrant> {
  // Attack: a body that is held back until the credential was revoked. So the credential is looked up when the body is there.
  const body = await readFirst(async () => requireValid(ttlWithin(ports.maxTtlSeconds), await readBody()));
  const identity = await ports.deployments.findByCredentialHash(secretHash(credential), ports.clock.now());
  if (identity === null)
    throw new Problem('unauthenticated', 'The bootstrap credential is invalid, expired or revoked.');
  const { audience, ttl_seconds: ttl } = body();
  // Attack: a workload token for the URL of a project is shown to the app as if it were an ingress token (RFC 8725, section 3.11).
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

function ttlWithin(max: number) {
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
