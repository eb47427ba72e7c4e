import { introspect } from '@platform/tokens';
import { json } from '../../endpoint/answer.ts';
import { oauthBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { oauthEndpoint } from '../../endpoint/oauth-endpoint.ts';
import { type SessionDeps, textOf } from './deps.ts';

/** `POST /api/v1/auth/introspect`: says whether a session or ingress token is active (RFC 7662). */
export const introspection = endpoint({
  ...oauthEndpoint,
  method: 'POST',
  path: '/api/v1/auth/introspect',
  id: 'introspectToken',
  tag: 'Sessions',
  summary: 'Say whether a session or ingress token is active',
  description:
    'RFC 7662, for operators and service accounts. An ingress token is active only for service accounts of its own project.',
  access: 'authenticated',
  limit: 'credentials',
  bodyLimit: 'small',
  body: oauthBody(ref('IntrospectionRequest'), {
    token: { summary: 'A token that an app was given', value: { token: '<token>' } },
  }),
  responses: {
    200: { description: 'Its claims, or only that it is not active.', schema: ref('Introspection') },
  },
  oauthErrors: {
    400: ['invalid_request'],
    401: ['invalid_token'],
    403: ['access_denied'],
    413: ['invalid_request'],
    429: ['temporarily_unavailable'],
    503: ['temporarily_unavailable'],
  },
  async handle(deps: SessionDeps, { principal, body }) {
    const { token } = await body();
    return json(200, await introspect(deps.introspection, principal, textOf(token)));
  },
});
