import type { LoginRedirect } from '@platform/login';
import { type Answer, redirect } from '../../endpoint/answer.ts';
import { noStore } from '../../endpoint/refusals.ts';
import { type CookieSettings, cookieName, setCookie } from './cookies.ts';

/** Redirects the browser and sets the cookie with the login transaction, if there is one. */
export function loginRedirect({ location, cookie }: LoginRedirect, settings: CookieSettings): Answer {
  if (cookie === null) return redirect(location, noStore);
  const name = cookieName('platform_login', settings);
  const value = setCookie(name, cookie.value, cookie.maxAgeSeconds, settings);
  return redirect(location, { ...noStore, 'Set-Cookie': value });
}
