import { OAuthError } from '@platform/kernel';
import { nativeClientId } from '@platform/login';
import { revokeSession } from '@platform/tokens';
import { empty } from '../../endpoint/answer.ts';
import { oauthBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { oauthEndpoint } from '../../endpoint/oauth-endpoint.ts';
import { type SessionDeps, textOf } from './deps.ts';

/** `POST /api/v1/auth/revoke`: ends a session (RFC 7009), named by its token, an ingress token of it, or its id. */
export const revocation = endpoint({
  ...oauthEndpoint,
  method: 'POST',
  path: '/api/v1/auth/revoke',
  id: 'revokeSession',
  tag: 'Sessions',
  summary: 'Revoke a session',
  description:
    'RFC 7009: one’s own session, or any as an operator. A token that is not valid is a success. `session_id` may be sent instead of `token`. A public client sends no credential: its `client_id`, and the session token that it holds.',
  access: 'userOrClient',
  limit: 'credentials',
  bodyLimit: 'small',
  body: oauthBody(ref('Revocation'), {
    token: { summary: 'By its token', value: { token: '<token>' } },
    client: {
      summary: 'As a public client',
      value: { client_id: nativeClientId, token: '<token>' },
    },
    id: { summary: 'By its id', value: { session_id: '0190a5c2-5f0e-7cc3-98c4-dc0c0c07398f' } },
  }),
  responses: { 200: { description: 'The session has ended, or there is none.' } },
  oauthErrors: {
    400: ['invalid_request', 'unsupported_token_type'],
    401: ['invalid_token', 'invalid_client'],
    403: ['access_denied'],
    413: ['invalid_request'],
    429: ['temporarily_unavailable'],
    503: ['temporarily_unavailable'],
  },
  async handle({ ports, present }: SessionDeps, { principal, body }, call) {
    const parameters = principal === null ? await clientParameters(body) : await body();
    const request = { token: textOf(parameters['token']), sessionId: textOf(parameters['session_id']) };
    const ended = await revokeSession(ports, principal, request, present);
    if (ended !== null) {
      const details = { kind: 'session', session: ended.session.id, user: ended.email };
      call.audit({ action: 'token.revoked', details });
    }
    return empty(200);
  },
});

type Parameters = Readonly<Record<string, unknown>>;

/**
 * The parameters of a public client, which identifies itself by its id (RFC 7009, section 2.1). A request with neither credentials nor that id
 * is refused before the rest of it is validated.
 */
async function clientParameters(body: () => Promise<Parameters>): Promise<Parameters> {
  const parameters = await body().catch((error: unknown) => {
    if (error instanceof OAuthError) return {};
    throw error;
  });
  if ((parameters as Parameters)['client_id'] === nativeClientId) return parameters;
  throw new OAuthError('invalid_client', 'A bearer token, or the client_id of a public client, is required', {
    challenge: 'Bearer',
  });
}
