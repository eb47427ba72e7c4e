import { userinfo } from '@platform/oauth-proxy';
import { answer } from '../../http/answer.ts';
import { type ProxyEndpoint, proxyRoute } from './proxy-route.ts';

const endpoint = (method: ProxyEndpoint['method']): ProxyEndpoint => ({
  method,
  path: '/oidc/:project/:extension/userinfo',
  reader: 'script',
  async handle({ ports }, name, request, response) {
    const { status, body, contentType } = await userinfo(ports, name, request.headers.authorization);
    answer(response, status, body, {}, contentType);
  },
});

/** `GET /oidc/{project}/{extension}/userinfo`: forwarded with the access token of the `Authorization` header. */
export const userinfoGetRoute = proxyRoute(endpoint('GET'), { preflight: ['GET', 'POST'] });

/** `POST` of the same: OpenID Connect Core section 5.3.1 asks for both. */
export const userinfoPostRoute = proxyRoute(endpoint('POST'), { preflight: [] });
