import type { Departure } from '@platform/login';
import type { Response } from 'express';
import { answer } from '../../http/answer.ts';
import { noStore } from '../../http/oauth-answer.ts';
import { type CookieSettings, cookieName, setCookie } from './cookies.ts';

/** Sends the browser to the identity provider, with its trip in a cookie; without one, back to where it came from. */
export function depart(
  response: Response,
  departure: Departure | { readonly location: string; readonly cookie: null },
  settings: CookieSettings,
): void {
  const headers: Record<string, string> = { ...noStore };
  if (departure.cookie !== null) {
    const name = cookieName('platform_login', settings);
    headers['Set-Cookie'] = setCookie(name, departure.cookie, departure.maxAgeSeconds, settings);
  }
  redirect(response, departure.location, headers);
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
