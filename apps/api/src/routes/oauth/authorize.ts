import { authorize, STATE_LIFETIME_MS } from '@platform/oauth-proxy';
import { cookieName, readCookie, setCookie } from '../login/cookies.ts';
import { proxyRoute } from './proxy-route.ts';
import { redirect } from './redirect.ts';

/** `GET /oidc/{project}/{extension}/authorize`: sends the browser to the upstream provider. */
export const authorizeRoute = proxyRoute(
  {
    method: 'GET',
    path: '/oidc/:project/:extension/authorize',
    reader: 'person',
    async handle({ ports, cookies }, name, request, response) {
      const cookie = cookieName('platform_oidc', cookies);
      const { query } = request.exchange;
      const { location, browser } = await authorize(ports, name, {
        query,
        browser: readCookie(request, cookie),
      });
      response.setHeader('Set-Cookie', setCookie(cookie, browser, STATE_LIFETIME_MS / 1000, cookies));
      redirect(response, location);
    },
  },
  { preflight: [] },
);
