import { callback } from '@platform/oauth-proxy';
import { proxyRoute } from './proxy-route.ts';
import { redirect } from './redirect.ts';

/** `GET /oidc/{project}/{extension}/callback`: receives the browser from the upstream and sends it to the app. */
export const callbackRoute = proxyRoute(
  {
    method: 'GET',
    path: '/oidc/:project/:extension/callback',
    reader: 'person',
    async handle({ ports }, name, request, response) {
      redirect(response, await callback(ports, name, request.exchange.query));
    },
  },
  { preflight: [] },
);
