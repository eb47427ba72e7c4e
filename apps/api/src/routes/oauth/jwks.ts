import { jwks } from '@platform/oauth-proxy';
import { answerJson } from '../../http/answer.ts';
import { proxyRoute } from './proxy-route.ts';

/** `GET /oidc/{project}/{extension}/jwks`: the proxy's keys and the upstream's. */
export const jwksRoute = proxyRoute(
  {
    method: 'GET',
    path: '/oidc/:project/:extension/jwks',
    reader: 'script',
    async handle({ ports }, name, _request, response) {
      const keys = await jwks(ports, name);
      response.removeHeader('Pragma');
      // Shorter than discovery: a provider that rotates its keys in a hurry should not have to wait for us.
      answerJson(response, 200, keys, { 'Cache-Control': 'public, max-age=60' });
    },
  },
  { preflight: ['GET'] },
);
