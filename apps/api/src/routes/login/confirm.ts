import { Problem } from '@platform/kernel';
import { type Confirmation, confirmLogin, type LoginPorts } from '@platform/login';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import { noStore } from '../../http/oauth-answer.ts';
import type { Page } from '../../http/page.ts';
import { queryOf } from '../projects/request.ts';
import type { Route } from '../route.ts';
import { type CookieSettings, clearCookie, cookieName, readCookie } from './cookies.ts';
import { redirect } from './login-redirect.ts';

const path = '/api/v1/auth/authorize/confirm';

/** `POST /api/v1/auth/authorize/confirm?choice=`: the user's choice on the confirmation page. */
export function confirm(ports: LoginPorts, settings: CookieSettings, limits: AbuseLimits): Route {
  const cookie = cookieName('platform_login', settings);
  const { origin: ownOrigin } = new URL(ports.publicUrl);
  return {
    method: 'POST',
    path,
    access: 'public',
    async handle(request, response) {
      limits.take(request);
      // Attack: another site submits the form in the user's name. Browsers send the Origin of the page with the form.
      if (request.headers.origin !== ownOrigin) {
        throw new Problem('forbidden', 'Cross-site confirmations of a login are not allowed.');
      }
      const confirmed = queryOf(request).get('choice') === 'allow';
      const location = await confirmLogin(ports, { id: readCookie(request, cookie), confirmed });
      redirect(response, location, { ...noStore, 'Set-Cookie': clearCookie(cookie, settings) });
    },
  };
}

/** The page that asks a user whom the provider did not ask. */
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
