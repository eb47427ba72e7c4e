import { completeLogin, type LoginPorts } from '@platform/login';
import { readUserAgent } from '@platform/tokens';
import { z } from 'zod';
import { redirect } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { readCookie } from '../../http/authorize.ts';
import { htmlPage, type Page } from '../../http/page.ts';
import { singleParameters } from '../../http/query-parameters.ts';
import { subjectOfToken } from '../../http/token-subject.ts';
import { confirmationPage } from './confirm.ts';
import { type CookieSettings, clearCookie, cookieName, loginCookieName, setCookie } from './cookies.ts';
import { deviceConfirmationPage } from './device-confirm.ts';

const query = z.object({
  code: z
    .string()
    .optional()
    .meta({ description: 'Of the identity provider.', example: 'SplxlOBeZQQYbYS6WxSbIA' }),
  state: z.string().optional().meta({ description: 'Of the platform.', example: 'af0ifjsldkj' }),
  error: z.string().optional().meta({ description: 'Instead of a code.', example: 'access_denied' }),
});

/** `GET /api/v1/auth/callback`: the redirect URI at the identity provider. */
export const callback = endpoint({
  method: 'GET',
  path: '/api/v1/auth/callback',
  id: 'loginCallback',
  tag: 'Login',
  summary: 'Complete a login: the redirect URI at the identity provider',
  access: 'public',
  limit: 'credentials',
  documentedQuery: query,
  responses: {
    200: {
      description:
        'A page: it asks to confirm a native login, or the login of a device, or says that the login leads to a domain of a project.',
      schema: { type: 'string' },
      mediaType: 'text/html',
    },
    303: {
      description: 'To the target of the login.',
      headers: { Location: 'Where the browser goes.' },
    },
  },
  problems: ['invalid_query', 'forbidden', 'rate_limited'],
  audit: { refused: 'auth.login' },
  async handle(
    { ports, cookies }: { readonly ports: LoginPorts; readonly cookies: CookieSettings },
    _input,
    call,
  ) {
    const latest = cookieName('platform_login', cookies);
    // The provider's `error_description` may be in another encoding: only characters of it are lost.
    const query = new URLSearchParams(call.rawQuery);
    const own = loginCookieName(query.get('state') ?? '', cookies);
    const latestCookie = readCookie(call, latest);
    const cookie = readCookie(call, own) ?? latestCookie;
    // The transaction ends here, also when the login fails. That of another tab goes on.
    const ended = [own, ...(cookie === latestCookie ? [latest] : [])].map((name) =>
      clearCookie(name, cookies),
    );
    call.setHeaders({ 'Set-Cookie': ended });
    const parameters = singleParameters(query);
    const userAgent = readUserAgent(call.headers['user-agent']);
    const result = await completeLogin(ports, { parameters, cookie, userAgent });
    const user = { type: 'user', id: result.user?.email ?? '' } as const;
    const { destination } = result;
    // A login that waits for the user's confirmation is recorded with the answer.
    if (result.user === null) {
      call.audit({
        action: 'auth.login',
        // A provider that fails decides nothing about the user.
        outcome: failures.has(result.error) ? 'failed' : 'denied',
        details: { destination, error: result.error },
      });
    } else if (!('confirmation' in result)) {
      call.audit({ action: 'auth.login', actor: user, details: { destination } });
    }
    if ('confirmation' in result) {
      const { id, maxAgeSeconds } = result.confirmation;
      const asked = setCookie(latest, id, maxAgeSeconds, cookies);
      call.setHeaders({ 'Set-Cookie': [clearCookie(own, cookies), asked] });
      const { confirmation } = result;
      return htmlPage(
        200,
        confirmation.kind === 'device'
          ? deviceConfirmationPage(confirmation, call.address)
          : confirmationPage(confirmation),
      );
    }
    const { location, session, isForeign = false } = result;
    if (session !== null) {
      const name = cookieName('platform_session', cookies);
      const value = setCookie(name, session.token, session.expiresIn, cookies);
      call.setHeaders({ 'Set-Cookie': [...ended, value] });
      const { details, ...subject } = subjectOfToken(session.token);
      call.audit({ ...subject, action: 'token.issued', details: { kind: 'session', ...details } });
    }
    // Attack (open redirect): a link to the login of the platform leads to a page of a project's own domain that asks for a password.
    // A browser that opens a page says so (Fetch Metadata); programs follow the redirect.
    if (isForeign && call.headers['sec-fetch-dest'] === 'document')
      return htmlPage(200, leavingPage(location));
    return redirect(location, noStore);
  },
});

const failures: ReadonlySet<string | undefined> = new Set(['server_error', 'temporarily_unavailable']);

/** The page between the platform and a domain that a project brought along. */
function leavingPage(location: string): Page {
  const { origin } = new URL(location);
  return {
    title: `Continue to ${origin}?`,
    paragraphs: [
      'You are logged in. The link that you opened leads to an address of a project, on a domain that is not the platform’s.',
      'Go on only if you expect to get there, and do not type the password of this login there.',
    ],
    link: { href: location, text: `Continue to ${origin}` },
  };
}
