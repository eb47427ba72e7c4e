import { revoke } from '@platform/oauth-proxy';
import { proxyRoute } from './proxy-route.ts';
import { readForm } from './read-form.ts';

/** `POST /oidc/{project}/{extension}/revoke`: forwards a revocation (RFC 7009). */
export const revokeRoute = proxyRoute(
  {
    method: 'POST',
    path: '/oidc/:project/:extension/revoke',
    reader: 'script',
    async handle({ ports, bodyLimit }, name, request, response) {
      const form = await readForm(request, bodyLimit);
      await revoke(ports, name, { form, authorization: request.headers.authorization });
      response.setHeader('Content-Length', 0);
      response.status(200).end();
    },
  },
  { preflight: ['POST'] },
);
