import { logoutByProvider } from '@platform/tokens';
import { empty } from '../../endpoint/answer.ts';
import { formBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { oauthEndpoint } from '../../endpoint/oauth-endpoint.ts';
import type { SessionDeps } from './deps.ts';

/** `POST /api/v1/auth/backchannel-logout`: the identity provider ends sessions (OpenID Connect Back-Channel Logout 1.0). */
export const backChannelLogout = endpoint({
  ...oauthEndpoint,
  method: 'POST',
  path: '/api/v1/auth/backchannel-logout',
  id: 'backChannelLogout',
  tag: 'Sessions',
  summary: 'End sessions by a logout token of the identity provider',
  description: 'OpenID Connect Back-Channel Logout 1.0; register this address at the identity provider.',
  // The logout token is the credential.
  access: 'public',
  limit: 'credentials',
  bodyLimit: 'small',
  body: formBody(ref('BackChannelLogout'), {
    token: { summary: 'Of the identity provider', value: { logout_token: '<logout_token>' } },
  }),
  responses: { 200: { description: 'The sessions have ended, or there were none.' } },
  audit: { refused: 'auth.provider_logout' },
  oauthErrors: {
    400: ['invalid_request'],
    413: ['invalid_request'],
    429: ['temporarily_unavailable'],
    503: ['temporarily_unavailable'],
  },
  async handle({ ports, logoutTokens: verifier }: SessionDeps, { body }, call) {
    const form = await body();
    const logout = await logoutByProvider({ ...ports, verifier }, form.get('logout_token') ?? null);
    const { token, users } = logout;
    call.audit({
      action: 'auth.provider_logout',
      actor: { type: 'system', id: 'identity-provider' },
      // Enough to see whom it was about.
      details: { users: users.slice(0, 10).map(({ email }) => email), session: token.providerSession },
    });
    return empty(200);
  },
});
