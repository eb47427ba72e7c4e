import { Problem } from '@platform/kernel';
import { type Confirmation, confirmLogin, type LoginPorts } from '@platform/login';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import { noStore } from '../../http/oauth-answer.ts';
import type { Page } from '../../http/page.ts';
import { queryOf } from '../projects/request.ts';
import type { Route } from '../route.ts';
import { type CookieSettings, clearCookie, cookieName, readCookie } from './cookies.ts';
import { redirect } from './depart.ts';

const path = '/api/v1/auth/authorize/confirm';

/** `POST /api/v1/auth/authorize/confirm?choice=`: the answer of the person to the page below. */
export function confirm(ports: LoginPorts, settings: CookieSettings, limits: AbuseLimits): Route {
  const cookie = cookieName('platform_login', settings);
  const { origin: ownOrigin } = new URL(ports.publicUrl);
  return {
    method: 'POST',
    path,
    access: 'public',
    async handle(request, response) {
      limits.take(request);
      // Attack: another page posts the form in the name of the person. Browsers send the Origin of the page that posts.
      if (request.headers.origin !== ownOrigin) {
        throw new Problem('forbidden', 'A login is confirmed on the page of this site.');
      }
      const agrees = queryOf(request).get('choice') === 'allow';
      const location = await confirmLogin(ports, { id: readCookie(request, cookie), agrees });
      redirect(response, location, { ...noStore, 'Set-Cookie': clearCookie(cookie, settings) });
    },
  };
}

/** Asks a person whom the provider did not ask. */
export function confirmationPage({ email, redirectUri }: Confirmation): Page {
  const { origin, hostname, port } = new URL(redirectUri);
  return {
    title: 'Log in a program on this machine?',
    paragraphs: [
      `A program on this machine, at port ${port || '80'}, wants to act as ${email}.`,
      'Go on only if you have just started a login, such as with "platform login".',
    ],
    form: {
      buttons: [
        { action: `${path}?choice=allow`, text: 'Log in' },
        { action: `${path}?choice=deny`, text: 'Cancel' },
      ],
      // A source list cannot name an IPv6 address (CSP 3, section 2.3.1).
      leadsTo: hostname.startsWith('[') ? 'http:' : origin,
    },
  };
}
