import { issueTokens, stringifyExact } from '@platform/oauth-proxy';
import { formBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref, type Schema } from '../../endpoint/documentation.ts';
import { admitScript, forScripts, type OAuthDeps, recordFlow } from './proxy-endpoint.ts';
import { formErrors } from './revoke.ts';

const text: Schema = { type: 'string' };
const schema: Schema = {
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token'] },
    client_id: text,
    client_secret: { ...text, description: 'Of confidential clients; or sent by HTTP Basic.' },
    code: text,
    redirect_uri: { ...text, description: 'Must be the one of `authorize` when it is sent.' },
    code_verifier: { ...text, description: 'PKCE.' },
    refresh_token: text,
    scope: text,
  },
};
const code = { grant_type: 'authorization_code', code: '<code>', client_id: 'shop-sign-in' };

/** `POST /oidc/{project}/{extension}/token`: authorization code and refresh grants. */
export const tokenEndpoint = endpoint({
  ...forScripts,
  audit: { refused: 'oauth.flow_failed', details: { step: 'token' } },
  method: 'POST',
  path: '/oidc/{project}/{extension}/token',
  id: 'proxyToken',
  credential: 'client',
  bodyLimit: 'small',
  summary: 'Redeem a code or refresh tokens',
  body: formBody(schema, {
    public_client: {
      summary: 'The code of a public client, with PKCE',
      value: { ...code, code_verifier: '<code_verifier>' },
    },
    confidential_client: {
      summary: 'The code of a confidential client',
      value: { ...code, client_secret: '<client_secret>' },
    },
    refresh: {
      summary: 'A refresh',
      value: {
        grant_type: 'refresh_token',
        refresh_token: '<refresh_token>',
        client_id: 'shop-sign-in',
        client_secret: '<client_secret>',
      },
    },
  }),
  responses: { 200: { description: 'The tokens of the provider.', schema: ref('Tokens') } },
  oauthErrors: formErrors,
  async handle(deps: OAuthDeps, { params, body }, call) {
    await admitScript(deps, params, call);
    const request = { parameters: await body(), authorization: call.headers.authorization };
    const answer = await issueTokens(deps.ports, params, request);
    const grant = request.parameters.get('grant_type');
    recordFlow(call, params, 'oauth.flow_completed', { grant });
    return { status: 200, body: stringifyExact(answer) };
  },
});
