import { type Confirmation, confirmLogin, type LoginPorts } from '@platform/login';
import { z } from 'zod';
import { redirect } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import type { Page } from '../../http/page.ts';
import { choiceParameter, forgetLogin, readChoice } from './choice.ts';
import type { CookieSettings } from './cookies.ts';

const path = '/api/v1/auth/authorize/confirm';

/** `POST /api/v1/auth/authorize/confirm?choice=&redirect_uri=`: the user's choice on the confirmation page. */
export const confirm = endpoint({
  method: 'POST',
  path,
  id: 'confirmNativeLogin',
  tag: 'Login',
  summary: 'Answer the page that asks to confirm a native login',
  description: 'For browsers: `Origin` must be the platform itself.',
  access: 'public',
  limit: 'credentials',
  query: z.object({
    choice: choiceParameter,
    redirect_uri: z.string().meta({
      description: 'Of the program that the page names.',
      example: 'http://127.0.0.1:53123/callback',
    }),
  }),
  responses: {
    303: {
      description: 'To the client, with a code or an error.',
      headers: { Location: 'Where the browser goes.' },
    },
  },
  problems: ['invalid_query', 'forbidden', 'rate_limited'],
  audit: { refused: 'auth.login', details: { destination: 'native' } },
  async handle(
    { ports, cookies }: { readonly ports: LoginPorts; readonly cookies: CookieSettings },
    { query },
    call,
  ) {
    const { id, confirmed } = readChoice(call, ports, cookies, query);
    const answer = { id, redirectUri: query.redirect_uri, confirmed };
    const { location, user } = await confirmLogin(ports, answer);
    call.audit({
      action: 'auth.login',
      actor: { type: 'user', id: user.email },
      ...(confirmed ? {} : { outcome: 'denied' }),
      details: { destination: 'native', ...(confirmed ? {} : { error: 'access_denied' }) },
    });
    return redirect(location, { ...noStore, 'Set-Cookie': forgetLogin(cookies) });
  },
});

/** The page that asks a user whom the provider did not ask. */
export function confirmationPage({ email, redirectUri }: Confirmation): Page {
  const { origin, hostname, port } = new URL(redirectUri);
  const query = new URLSearchParams({ redirect_uri: redirectUri });
  return {
    title: 'Log in a program on this machine?',
    paragraphs: [
      `A program on this machine, at port ${port || '80'}, wants to act as ${email}.`,
      'Go on only if you have just started a login, such as with "platform login".',
    ],
    form: {
      buttons: [
        { action: `${path}?choice=allow&${query}`, text: 'Log in' },
        { action: `${path}?choice=deny&${query}`, text: 'Cancel' },
      ],
      // A source list cannot name an IPv6 address (CSP 3, section 2.3.1).
      leadsTo: hostname.startsWith('[') ? 'http:' : origin,
    },
  };
}
