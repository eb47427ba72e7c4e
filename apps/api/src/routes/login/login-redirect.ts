import type { LoginRedirect } from '@platform/login';
import type { Response } from 'express';
import { answer } from '../../http/answer.ts';
import { noStore } from '../../http/oauth-answer.ts';
import { type CookieSettings, cookieName, setCookie } from './cookies.ts';

/** Redirects the browser and sets the cookie with the login transaction, if there is one. */
export function sendLoginRedirect(
  response: Response,
  { location, cookie }: LoginRedirect,
  settings: CookieSettings,
): void {
  const headers: Record<string, string> = { ...noStore };
  if (cookie !== null) {
    const name = cookieName('platform_login', settings);
    headers['Set-Cookie'] = setCookie(name, cookie.value, cookie.maxAgeSeconds, settings);
  }
  redirect(response, location, headers);
}

/** Answers 303 with a location. */
export function redirect(
  response: Response,
  location: string,
  headers: Readonly<Record<string, string>>,
): void {
  answer(
    response,
    303,
    '',
    { ...headers, Location: location, 'Referrer-Policy': 'no-referrer' },
    'text/plain',
  );
}
