import { Problem } from '@platform/kernel';
import type { WorkloadGrant } from '@platform/projects';
import { json } from '../../endpoint/answer.ts';
import { jsonBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { subjectOfToken } from '../../http/token-subject.ts';

/** `mintWorkloadToken` with its dependencies. */
export type MintWorkloadToken = (
  credential: string,
  readBody: () => Promise<unknown>,
) => Promise<WorkloadGrant>;

/** `POST /api/v1/identity/token`: a deployment's bootstrap credential for a workload token. */
export const identityToken = endpoint({
  method: 'POST',
  path: '/api/v1/identity/token',
  id: 'mintWorkloadToken',
  tag: 'Tokens and identity',
  summary: 'Get a workload token for an audience',
  // The credential is no token of the platform, so authorization cannot know it.
  access: 'public',
  credential: 'bootstrap',
  limit: 'credentials',
  bodyLimit: 'small',
  body: jsonBody(ref('WorkloadTokenRequest'), {
    audience: { summary: 'For a queue', value: { audience: 'https://queue.example.dev', ttl_seconds: 600 } },
  }),
  responses: { 200: { description: 'A workload token.', schema: ref('WorkloadToken') } },
  problems: ['unauthenticated', 'rate_limited'],
  audit: { refused: 'token.refused', details: { kind: 'workload' } },
  async handle(deps: { readonly mintWorkloadToken: MintWorkloadToken }, { body }, call) {
    const { headers } = call;
    const credential = /^bearer +([\w-]{43}) *$/i.exec(headers.authorization ?? '')?.[1];
    if (credential === undefined) throw new Problem('unauthenticated', 'A bootstrap credential is required.');
    const { token, expiresIn, audience } = await deps.mintWorkloadToken(credential, body);
    const { details, ...subject } = subjectOfToken(token);
    call.audit({ ...subject, action: 'token.issued', details: { kind: 'workload', ...details } });
    return json(200, { token, token_type: 'Bearer', expires_in: expiresIn, audience }, noStore);
  },
});
