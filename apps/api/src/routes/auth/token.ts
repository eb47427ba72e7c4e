import type { ExchangeAnswer, ExchangeParameters } from '@platform/tokens';
import { json } from '../../endpoint/answer.ts';
import { oauthBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { oauthEndpoint } from '../../endpoint/oauth-endpoint.ts';
import { subjectOfToken } from '../../http/token-subject.ts';

/** `exchangeToken` with everything it needs. */
export type Exchange = (parameters: ExchangeParameters) => Promise<ExchangeAnswer>;

const example = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token: '<subject_token>',
  subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
};

/** `POST /api/v1/auth/token`: exchanges an external token for an access token (RFC 8693). */
export const token = endpoint({
  ...oauthEndpoint,
  method: 'POST',
  path: '/api/v1/auth/token',
  id: 'exchangeToken',
  tag: 'Tokens and identity',
  summary: 'Exchange an external token for an access token',
  description: 'RFC 8693. Whatever is wrong with the subject token or the identity, the refusal is the same.',
  // The subject token is the credential.
  access: 'public',
  limit: 'credentials',
  bodyLimit: 'small',
  body: oauthBody(ref('TokenExchange'), {
    controller: { summary: 'A controller', value: example },
    service_account: {
      summary: 'A service account',
      value: { ...example, identity: 'shop+ci@sa.platform.local' },
    },
  }),
  responses: { 200: { description: 'An access token.', schema: ref('ExchangedToken') } },
  oauthErrors: {
    400: ['invalid_grant', 'invalid_request', 'unsupported_grant_type'],
    413: ['invalid_request'],
    429: ['temporarily_unavailable'],
    503: ['temporarily_unavailable'],
  },
  audit: { refused: 'token.refused', details: { kind: 'access' } },
  async handle({ exchange }: { readonly exchange: Exchange }, { body }, call) {
    const answer = await exchange(await body());
    const { details, ...subject } = subjectOfToken(answer.access_token);
    call.audit({ ...subject, action: 'token.issued', details: { kind: 'access', ...details } });
    return json(200, answer);
  },
});
