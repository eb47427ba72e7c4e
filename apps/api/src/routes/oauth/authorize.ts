import { startLogin, stateLifetimeMs } from '@platform/oauth-proxy';
import { z } from 'zod';
import { empty } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { readCookie } from '../../http/authorize.ts';
import { parseForm } from '../../http/form-parameters.ts';
import { cookieName, setCookie } from '../login/cookies.ts';
import { admitPerson, commonErrors, forPeople, type OAuthDeps, recordFlow } from './proxy-endpoint.ts';

const text = (description: string) => z.string().optional().meta({ description });

/** `GET /oidc/{project}/{extension}/authorize`: sends the browser to the upstream provider. */
export const authorizeEndpoint = endpoint({
  ...forPeople,
  audit: { refused: 'oauth.flow_failed', details: { step: 'authorize' } },
  method: 'GET',
  path: '/oidc/{project}/{extension}/authorize',
  id: 'proxyAuthorize',
  summary: 'Start a login at the provider',
  description: 'A refusal is an answer and never a redirect; a browser gets it as a page.',
  documentedQuery: z.object({
    redirect_uri: text('Where the app waits: localhost, or the origin of the project; else its URL.'),
    state: text('Comes back with the code.'),
    code_challenge: text('PKCE.'),
    code_challenge_method: z.literal('S256').optional().meta({ description: '`S256`' }),
    response_type: z.literal('code').optional().meta({ description: '`code`' }),
    client_id: text('Of the extension.'),
    scope: text('Instead of the scopes of the extension.'),
    nonce: text('Comes back in the ID token.'),
    prompt: text('Passed on.'),
    login_hint: text('Passed on.'),
    max_age: text('Passed on.'),
    acr_values: text('Passed on.'),
    ui_locales: text('Passed on.'),
  }),
  responses: { 302: { description: 'To the provider.', headers: { Location: 'Where the browser goes.' } } },
  oauthErrors: {
    ...commonErrors,
    400: [
      'invalid_request',
      'unsupported_response_type',
      'request_not_supported',
      'request_uri_not_supported',
    ],
    405: ['invalid_request'],
  },
  async handle(deps: OAuthDeps, { params }, call) {
    admitPerson(deps, params, call);
    const { ports, cookies } = deps;
    const cookie = cookieName('platform_oidc', cookies);
    const request = { parameters: parseForm(call.rawQuery), browser: readCookie(call, cookie) };
    const { location, browser } = await startLogin(ports, params, request);
    recordFlow(call, params, 'oauth.flow_started');
    return empty(302, {
      Location: location,
      'Set-Cookie': setCookie(cookie, browser, stateLifetimeMs / 1000, cookies),
    });
  },
});
