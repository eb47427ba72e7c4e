import { finishTrip, type LoginPorts } from '@platform/login';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import { noStore } from '../../http/oauth-answer.ts';
import { answerPage } from '../../http/page.ts';
import { queryOf } from '../projects/request.ts';
import type { Route } from '../route.ts';
import { confirmationPage } from './confirm.ts';
import { type CookieSettings, clearCookie, cookieName, readCookie, setCookie } from './cookies.ts';
import { redirect } from './depart.ts';

/** `GET /api/v1/auth/callback`: the way back from the identity provider. */
export function callback(ports: LoginPorts, settings: CookieSettings, limits: AbuseLimits): Route {
  const tripCookie = cookieName('platform_login', settings);
  const sessionCookie = cookieName('platform_session', settings);
  return {
    method: 'GET',
    path: '/api/v1/auth/callback',
    access: 'public',
    async handle(request, response) {
      limits.take(request);
      const cookie = readCookie(request, tripCookie);
      // Whatever comes of it, the trip is over.
      response.setHeader('Set-Cookie', clearCookie(tripCookie, settings));
      const arrival = await finishTrip(ports, { query: queryOf(request), cookie });
      if ('confirmation' in arrival) {
        const { id, maxAgeSeconds } = arrival.confirmation;
        response.setHeader('Set-Cookie', setCookie(tripCookie, id, maxAgeSeconds, settings));
        answerPage(response, 200, confirmationPage(arrival.confirmation));
        return;
      }
      const { location, session } = arrival;
      if (session !== null) {
        const fresh = setCookie(sessionCookie, session.token, session.expiresIn, settings);
        response.setHeader('Set-Cookie', [clearCookie(tripCookie, settings), fresh]);
      }
      redirect(response, location, noStore);
    },
  };
}
