import { rotateClientSecret, rotateCredential, rotateCredentialBody } from '@platform/projects';
import { requireValid } from '@platform/resources';
import { optionalJsonBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { nameParams } from '../../endpoint/path-parameters.ts';
import { etagDocs, ifMatch, ifNoneMatch } from '../../endpoint/shared-docs.ts';
import { changeProblems, itemAnswer, sent, type TypedDeps, typedEndpoint } from './item.ts';

/** `POST /api/v1/projects/{project}/extensions/{extension}/rotate-secret` */
export const rotateSecret = endpoint({
  ...typedEndpoint,
  method: 'POST',
  path: '/api/v1/projects/{project}/extensions/{extension}/rotate-secret',
  id: 'rotateClientSecret',
  tag: 'Below projects',
  summary: 'Give an extension a new client secret',
  description: 'The previous secret stays valid until the next rotation.',
  params: nameParams('project', 'extension'),
  requestHeaders: [ifMatch, ifNoneMatch],
  responses: {
    200: { description: 'The extension with its new secret.', schema: ref('Extension'), headers: etagDocs },
  },
  problems: changeProblems,
  async handle({ ports }: TypedDeps, { principal, params: { project, extension: name } }, call) {
    const { origin, precondition } = call;
    const rotated = await rotateClientSecret(ports, {
      principal,
      origin,
      project,
      name,
      precondition,
    });
    return itemAnswer(200, rotated, noStore);
  },
});

/** `POST /api/v1/projects/{project}/deployments/{deployment}/rotate-credential` */
export const rotateDeploymentCredential = endpoint({
  ...typedEndpoint,
  method: 'POST',
  path: '/api/v1/projects/{project}/deployments/{deployment}/rotate-credential',
  id: 'rotateCredential',
  tag: 'Below projects',
  summary: 'Give a deployment a new bootstrap credential',
  description:
    'The old one stays valid for `overlap_seconds`, at most until its own expiry. The body may be left out.',
  params: nameParams('project', 'deployment'),
  requestHeaders: [ifMatch, ifNoneMatch],
  body: optionalJsonBody(ref('CredentialRotate'), {
    overlap: { summary: 'A day for the roll-out', value: { overlap_seconds: 86_400 } },
  }),
  responses: {
    200: {
      description: 'The deployment with its new credential.',
      schema: ref('Deployment'),
      headers: etagDocs,
    },
  },
  problems: changeProblems,
  async handle({ ports }: TypedDeps, { principal, params: { project, deployment: name }, body: read }, call) {
    const body = await sent(read, (value) => requireValid(rotateCredentialBody(ports.clock), value));
    const { origin, precondition } = call;
    const request = { principal, origin, project, name, precondition, body };
    return itemAnswer(200, await rotateCredential(ports, request), noStore);
  },
});
