import { fetchUserinfo } from '@platform/oauth-proxy';
import { type Endpoint, endpoint } from '../../endpoint/descriptor.ts';
import { admitScript, commonErrors, forScripts, type OAuthDeps } from './proxy-endpoint.ts';

function userinfoEndpoint(method: 'GET' | 'POST', id: string): Endpoint<OAuthDeps> {
  return endpoint({
    ...forScripts,
    audit: { refused: 'oauth.flow_failed', details: { step: 'userinfo' } },
    method,
    path: '/oidc/{project}/{extension}/userinfo',
    id,
    credential: 'upstreamToken',
    summary: 'Read the claims of the user',
    responses: {
      200: {
        description: 'As the provider answered.',
        schema: { type: 'object' },
        example: { sub: '248289761001', email: 'ann@example.dev', email_verified: true },
      },
    },
    oauthErrors: { ...commonErrors, 401: ['invalid_token'], 403: ['invalid_request'] },
    async handle(deps: OAuthDeps, { params }, call) {
      await admitScript(deps, params, call);
      return await fetchUserinfo(deps.ports, params, call.headers.authorization);
    },
  });
}

/** `GET /oidc/{project}/{extension}/userinfo`: forwarded with the access token of the `Authorization` header. */
export const userinfoGet = userinfoEndpoint('GET', 'proxyUserinfo');

/** `POST` of the same: OpenID Connect Core section 5.3.1 asks for both. */
export const userinfoPost = userinfoEndpoint('POST', 'proxyUserinfoPost');
