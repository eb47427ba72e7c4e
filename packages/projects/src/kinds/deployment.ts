import { invalid, type Problem, secretHash } from '@platform/kernel';
import { requireValid } from '@platform/resources';
import { deploymentBody } from '../model/bodies.ts';
import { labelName } from '../model/fields.ts';
import type { Deployment } from '../model/records.ts';
import type { ChildKind, KindContext } from './kind.ts';

/** 256 random bits need no salt and no slow hash, so SHA-256 is enough. */
const credentialBytes = 32;

/** The default lifetime of a credential, in milliseconds. */
const credentialLifetime = 90 * 86_400_000;

interface DeploymentFields {
  readonly environment: string;
  readonly expires_at?: string | undefined;
}

/** Deployments: named by their uid; the bootstrap credential is shown once and ends with the deployment. */
export const deploymentKind: ChildKind<Deployment, DeploymentFields> = {
  plural: 'deployments',
  kindName: 'Deployment',
  noun: 'deployment',
  actions: { read: 'children.read', create: 'deployments.create' },
  read: (body, { clock }) => requireValid(deploymentBody(clock), body),
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
        previousCredential: null,
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
    previous_credential_expires_at: deployment.previousCredential?.expiresAt ?? null,
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
