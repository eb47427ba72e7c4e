import { completeLogin, type LoginPorts } from '@platform/login';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import { noStore } from '../../http/oauth-answer.ts';
import { answerPage } from '../../http/page.ts';
import { singleParameters } from '../../http/query-parameters.ts';
import { queryOf } from '../projects/request.ts';
import type { Route } from '../route.ts';
import { confirmationPage } from './confirm.ts';
import { type CookieSettings, clearCookie, cookieName, readCookie, setCookie } from './cookies.ts';
import { redirect } from './login-redirect.ts';

/** `GET /api/v1/auth/callback`: the redirect URI at the identity provider. */
export function callback(ports: LoginPorts, settings: CookieSettings, limits: AbuseLimits): Route {
  const loginCookie = cookieName('platform_login', settings);
  const sessionCookie = cookieName('platform_session', settings);
  return {
    method: 'GET',
    path: '/api/v1/auth/callback',
    access: 'public',
    async handle(request, response) {
      limits.take(request);
      const cookie = readCookie(request, loginCookie);
      // The transaction ends here, also when the login fails.
      response.setHeader('Set-Cookie', clearCookie(loginCookie, settings));
      const parameters = singleParameters(queryOf(request));
      const result = await completeLogin(ports, { parameters, cookie });
      if ('confirmation' in result) {
        const { id, maxAgeSeconds } = result.confirmation;
        response.setHeader('Set-Cookie', setCookie(loginCookie, id, maxAgeSeconds, settings));
        answerPage(response, 200, confirmationPage(result.confirmation));
        return;
      }
      const { location, session } = result;
      if (session !== null) {
        const sessionValue = setCookie(sessionCookie, session.token, session.expiresIn, settings);
        response.setHeader('Set-Cookie', [clearCookie(loginCookie, settings), sessionValue]);
      }
      redirect(response, location, noStore);
    },
  };
}
