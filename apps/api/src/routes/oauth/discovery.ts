import { discovery } from '@platform/oauth-proxy';
import { answerJson } from '../../http/answer.ts';
import { proxyRoute } from './proxy-route.ts';

const metadataAt = (path: string) =>
  proxyRoute(
    {
      method: 'GET',
      path,
      reader: 'script',
      async handle({ ports }, name, _request, response) {
        const document = await discovery(ports, name);
        response.removeHeader('Pragma');
        answerJson(response, 200, document, { 'Cache-Control': 'public, max-age=300' });
      },
    },
    { preflight: ['GET'] },
  );

/** `GET /oidc/{project}/{extension}/.well-known/openid-configuration` (OpenID Connect Discovery, section 4). */
export const discoveryRoute = metadataAt('/oidc/:project/:extension/.well-known/openid-configuration');

/** The same document where OAuth clients look for it (RFC 8414, section 3.1). */
export const metadataRoute = metadataAt('/.well-known/oauth-authorization-server/oidc/:project/:extension');
