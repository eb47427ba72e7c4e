import { authorize } from '@platform/oauth-proxy';
import { proxyRoute } from './proxy-route.ts';
import { redirect } from './redirect.ts';

/** `GET /oidc/{project}/{extension}/authorize`: sends the browser to the upstream provider. */
export const authorizeRoute = proxyRoute(
  {
    method: 'GET',
    path: '/oidc/:project/:extension/authorize',
    reader: 'person',
    async handle({ ports }, name, request, response) {
      redirect(response, await authorize(ports, name, request.exchange.query));
    },
  },
  { preflight: [] },
);
