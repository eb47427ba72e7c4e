import { type EncryptBody, encryptBody } from '@platform/projects';
import type { UserPrincipal } from '@platform/tokens';
import { json } from '../../endpoint/answer.ts';
import { typedBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';

/** `encryptSecret` with its dependencies. */
export type Encrypt = (user: UserPrincipal, body: EncryptBody) => Promise<{ readonly encrypted: string }>;

/** `POST /api/v1/encrypt`: seals a secret for use in an extension. */
export const encrypt = endpoint({
  method: 'POST',
  path: '/api/v1/encrypt',
  id: 'encrypt',
  tag: 'Tokens and identity',
  summary: 'Encrypt a secret for an extension',
  description:
    'For people with a session. With `project`, the ciphertext can be used in that project only, and only its owner, members and admins may ask for it. Without, only by the same person, within 24 hours.',
  access: 'user',
  limit: 'credentials',
  bodyLimit: 'small',
  body: typedBody(encryptBody, ref('Plaintext'), {
    secret: { summary: 'A client secret', value: { plaintext: 'the secret of the provider' } },
  }),
  responses: { 200: { description: 'The ciphertext.', schema: ref('Ciphertext') } },
  problems: ['not_found', 'rate_limited'],
  async handle(deps: { readonly encrypt: Encrypt }, { principal, body }, call) {
    const sent = await body();
    const answer = await deps.encrypt(principal, sent);
    call.audit({
      action: 'secret.encrypted',
      ...(sent.project === undefined ? {} : { project: sent.project }),
    });
    return json(200, answer, noStore);
  },
});
