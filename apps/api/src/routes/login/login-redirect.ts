import type { LoginRedirect } from '@platform/login';
import { type Answer, redirect } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { cookiesOf } from '../../http/authorize.ts';
import { type CookieSettings, clearCookie, cookieName, loginCookieName, setCookie } from './cookies.ts';

/** The logins that a browser can have under way. Each has a cookie, and a request has room for a few of them only. */
const mostLogins = 4;
/**
 * The most bytes of all of them. Attack: a page sends a browser to logins with the longest redirects, and their cookies make each of its
 * requests longer than the 8 KiB of a header that proxies such as nginx take, until the logins expire.
 */
const mostBytes = 6 * 1024;

/** Redirects the browser and sets the cookies with the login transaction, if there is one. */
export function loginRedirect(
  { location, cookie }: LoginRedirect,
  settings: CookieSettings,
  call: Pick<Call, 'headers'>,
): Answer {
  if (cookie === null) return redirect(location, noStore);
  // A replica of the previous release reads the cookie of the latest login.
  const latest = cookieName('platform_login', settings);
  const names = [latest, loginCookieName(cookie.state, settings)];
  // Browsers send older cookies first (RFC 6265 section 5.4), and the older ones go.
  const others = cookiesOf(call).filter(([name]) => name.startsWith(`${latest}_`));
  let room = mostBytes - names.length * cookie.value.length;
  const surplus = others.reverse().filter(([, value], index) => {
    room -= value.length;
    return index >= mostLogins - 1 || room < 0;
  });
  return redirect(location, {
    ...noStore,
    'Set-Cookie': [
      ...names.map((name) => setCookie(name, cookie.value, cookie.maxAgeSeconds, settings)),
      ...surplus.map(([name]) => clearCookie(name, settings)),
    ],
  });
}
