import { callback } from '@platform/oauth-proxy';
import { cookieName, readCookie } from '../login/cookies.ts';
import { proxyRoute } from './proxy-route.ts';
import { redirect } from './redirect.ts';

/** `GET /oidc/{project}/{extension}/callback`: receives the browser from the upstream and sends it to the app. */
export const callbackRoute = proxyRoute(
  {
    method: 'GET',
    path: '/oidc/:project/:extension/callback',
    reader: 'person',
    async handle({ ports, cookies }, name, request, response) {
      const location = await callback(ports, name, {
        query: request.exchange.query,
        browser: readCookie(request, cookieName('platform_oidc', cookies)),
        opensPage: request.headers['sec-fetch-dest'] === 'document',
      });
      redirect(response, location);
    },
  },
  { preflight: [] },
);
