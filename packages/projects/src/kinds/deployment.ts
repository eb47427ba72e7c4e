import { invalid, secretHash } from '@platform/kernel';
import { requireValid } from '@platform/resources';
import { deploymentBody } from '../model/bodies.ts';
import type { Deployment } from '../model/records.ts';
import { changedFields } from '../rules/unchanged.ts';
import type { ChildKind } from './kind.ts';

/** 256 bits: no dictionary and no salt needed, so a plain SHA-256 is kept. */
const credentialBytes = 32;

/** Deployments: named by their uid; the bootstrap credential is shown once and ends with the deployment. */
export const deploymentKind: ChildKind<Deployment, { readonly environment: string }> = {
  plural: 'deployments',
  actions: { read: 'children.read', create: 'deployments.create' },
  read: (body) => requireValid(deploymentBody, body),
  create({ environment }, { project, identifiers, random }) {
    const uid = identifiers.uid();
    const credential = Buffer.from(random.bytes(credentialBytes)).toString('base64url');
    return {
      draft: { uid, projectUid: project.uid, name: uid, environment, credentialHash: secretHash(credential) },
      shownOnce: { bootstrap_credential: credential },
    };
  },
  replace(body, stored) {
    const faults = changedFields(body, { environment: stored.environment });
    if (faults.length > 0) throw invalid(faults);
    return {};
  },
  render: ({ uid, name, environment, revision, createdAt }, { project }) => ({
    uid,
    name,
    project: project.name,
    environment,
    revision,
    created_at: createdAt,
  }),
};
