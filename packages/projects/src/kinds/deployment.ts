import { type Clock, invalid, type Problem, secretHash } from '@platform/kernel';
import { requireValid } from '@platform/resources';
import { z } from 'zod';
import { instant, labelName } from '../model/fields.ts';
import type { ChildKind, KindContext } from './kind.ts';

/** 256 random bits need no salt and no slow hash, so SHA-256 is enough. */
const credentialBytes = 32;

/** The default lifetime of a credential, in milliseconds. */
const credentialLifetime = 90 * 86_400_000;

/** When a credential expires, as a client sets it. */
function expiry({ now }: Pick<Clock, 'now'>) {
  return instant.refine((time) => Date.parse(time) > now(), 'must be in the future').optional();
}

function body(clock: Pick<Clock, 'now'>) {
  return z.strictObject({ environment: labelName, expires_at: expiry(clock) });
}
type DeploymentBody = z.output<ReturnType<typeof body>>;

/** A week: long enough to roll out a credential everywhere, short enough to limit the damage of a leak. */
const maxOverlapSeconds = 7 * 86_400;

/** The body of `POST .../rotate-credential`, which is optional. */
export function rotateCredentialBody(clock: Pick<Clock, 'now'>) {
  return z.strictObject({
    overlap_seconds: z
      .int('must be a whole number of seconds')
      .min(0, 'must be at least 0')
      .max(maxOverlapSeconds, `must be at most ${maxOverlapSeconds}`)
      .default(3600),
    expires_at: expiry(clock),
  });
}
export type RotateCredentialBody = z.output<ReturnType<typeof rotateCredentialBody>>;

/** Deployments: named by their uid; the bootstrap credential is shown once and ends with the deployment. */
export const deploymentKind: ChildKind<'deployments', DeploymentBody> = {
  collection: 'deployments',
  plural: 'deployments',
  kindName: 'Deployment',
  noun: 'deployment',
  actions: { read: 'children.read', create: 'deployments.create' },
  body,
  read: (sent, { clock }) => requireValid(body(clock), sent),
  async validateInProject({ environment }, { project }, { environments }) {
    const { data: name } = labelName.safeParse(environment);
    if (name !== undefined && (await environments.lock(project.uid, name)) === null)
      throw environmentMissing();
  },
  create({ environment, expires_at: expiresAt }, context) {
    const uid = context.identifiers.uid();
    const { credential, stored } = newCredential(context, expiresAt);
    return {
      draft: {
        uid,
        projectUid: context.project.uid,
        name: uid,
        environment,
        ...stored,
        previousCredentialHash: null,
        previousCredentialExpiresAt: null,
      },
      shownOnce: { bootstrap_credential: credential },
    };
  },
  readBack: ['environment', 'expires_at', 'created_by', 'previous_credential_expires_at', 'last_used_at'],
  replacement: null,
  render: (deployment, { project }) => ({
    uid: deployment.uid,
    name: deployment.name,
    project: project.name,
    environment: deployment.environment,
    expires_at: deployment.credentialExpiresAt,
    created_by: deployment.credentialCreatedBy,
    last_used_at: deployment.credentialLastUsedAt,
    previous_credential_expires_at: deployment.previousCredentialExpiresAt,
    revision: deployment.revision,
    created_at: deployment.createdAt,
  }),
};

/** The refusal of a deployment whose environment does not exist. */
export function environmentMissing(): Problem {
  return invalid([{ path: '/environment', message: 'no such environment exists in the project' }]);
}

/** A new bootstrap credential and its stored form. */
export function newCredential(
  { random, clock, actor }: Pick<KindContext, 'random' | 'clock' | 'actor'>,
  expiresAt = new Date(clock.now() + credentialLifetime).toISOString(),
) {
  const credential = Buffer.from(random.bytes(credentialBytes)).toString('base64url');
  const stored = {
    credentialHash: secretHash(credential),
    credentialExpiresAt: expiresAt,
    credentialCreatedBy: actor,
    credentialLastUsedAt: null,
  };
  return { credential, stored };
}
