import { Problem } from '@platform/kernel';
import { answer } from '../../http/answer.ts';
import { noStore } from '../../http/oauth-answer.ts';
import type { Route } from '../route.ts';
import { type CookieSettings, clearCookie, cookieName } from './cookies.ts';

/** `POST /api/v1/auth/logout`: removes the session cookie. The session token itself stays valid until it expires. */
export function logout(settings: CookieSettings, ownOrigin: string): Route {
  const name = cookieName('platform_session', settings);
  return {
    method: 'POST',
    path: '/api/v1/auth/logout',
    access: 'public',
    handle(request, response) {
      // Attack: a form of another site logs the user out. Browsers send the Origin of the page with the form.
      const { origin } = request.headers;
      if (origin !== undefined && origin !== ownOrigin) {
        throw new Problem('forbidden', 'Cross-site logout requests are not allowed.');
      }
      answer(response, 204, '', { ...noStore, 'Set-Cookie': clearCookie(name, settings) });
    },
  };
}
