import { revokeToken } from '@platform/oauth-proxy';
import { empty } from '../../endpoint/answer.ts';
import { formBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import type { EndpointDocs, Schema } from '../../endpoint/documentation.ts';
import { admitScript, commonErrors, forScripts, type OAuthDeps } from './proxy-endpoint.ts';

/** The OAuth errors of endpoints that take a form, by status. */
export const formErrors: NonNullable<EndpointDocs['oauthErrors']> = {
  ...commonErrors,
  400: ['invalid_grant', 'invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope'],
  401: ['invalid_client'],
  404: ['invalid_request', 'unsupported_token_type'],
  413: ['invalid_request'],
};

const text: Schema = { type: 'string' };
const schema: Schema = {
  type: 'object',
  required: ['token'],
  properties: { token: text, token_type_hint: text, client_id: text, client_secret: text },
};

/** `POST /oidc/{project}/{extension}/revoke`: forwards a revocation (RFC 7009). */
export const revokeEndpoint = endpoint({
  ...forScripts,
  audit: { refused: 'oauth.flow_failed', details: { step: 'revoke' } },
  method: 'POST',
  path: '/oidc/{project}/{extension}/revoke',
  id: 'proxyRevoke',
  credential: 'client',
  bodyLimit: 'small',
  summary: 'Revoke a token',
  body: formBody(schema, {
    refresh_token: {
      summary: 'A refresh token',
      value: { token: '<refresh_token>', client_id: 'shop-sign-in', client_secret: '<client_secret>' },
    },
  }),
  responses: { 200: { description: 'Revoked, or never valid.' } },
  oauthErrors: formErrors,
  async handle(deps: OAuthDeps, { params, body }, call) {
    await admitScript(deps, params, call);
    const request = { parameters: await body(), authorization: call.headers.authorization };
    await revokeToken(deps.ports, params, request);
    return empty(200);
  },
});
