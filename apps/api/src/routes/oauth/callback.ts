import { completeLogin } from '@platform/oauth-proxy';
import { z } from 'zod';
import { empty } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { readCookie } from '../../http/authorize.ts';
import { parseAnswer } from '../../http/form-parameters.ts';
import { cookieName } from '../login/cookies.ts';
import { admitPerson, commonErrors, forPeople, type OAuthDeps, recordFlow } from './proxy-endpoint.ts';

const text = (description: string) => z.string().optional().meta({ description });

/** `GET /oidc/{project}/{extension}/callback`: receives the browser from the upstream and sends it to the app. */
export const callbackEndpoint = endpoint({
  ...forPeople,
  audit: { refused: 'oauth.flow_failed', details: { step: 'callback' } },
  method: 'GET',
  path: '/oidc/{project}/{extension}/callback',
  id: 'proxyCallback',
  summary: 'Come back from the provider',
  description: 'The one redirect URI to register at the provider.',
  documentedQuery: z.object({
    code: text('Of the provider.'),
    state: text('Of the proxy.'),
    error: text('Instead of a code.'),
    error_description: text('More of it.'),
  }),
  responses: {
    302: {
      description: 'To the app, with a code of the proxy or an error.',
      headers: { Location: 'Where the browser goes.' },
    },
  },
  oauthErrors: { ...commonErrors, 405: ['invalid_request'] },
  async handle(deps: OAuthDeps, { params }, call) {
    admitPerson(deps, params, call);
    const location = await completeLogin(deps.ports, params, {
      parameters: parseAnswer(call.rawQuery),
      browser: readCookie(call, cookieName('platform_oidc', deps.cookies)),
      opensPage: call.headers['sec-fetch-dest'] === 'document',
    });
    const failed = new URL(location).searchParams.get('error');
    if (failed !== null) {
      recordFlow(call, params, 'oauth.flow_failed', { step: 'callback', error: failed });
    }
    return empty(302, { Location: location });
  },
});
