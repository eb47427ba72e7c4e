import { Problem } from '@platform/kernel';
import type { LoginPorts } from '@platform/login';
import { empty } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { bearerOf, readCookie } from '../../http/authorize.ts';
import { type CookieSettings, clearCookie, cookieName } from './cookies.ts';

/** The dependencies of a logout. */
export interface LogoutDeps {
  readonly ports: Pick<LoginPorts, 'publicUrl'>;
  readonly cookies: CookieSettings;
  /** Ends the session of a session token and returns it; null for any other text, and for a session that has ended. */
  readonly endSession: (token: string) => Promise<{ readonly id: string; readonly email: string } | null>;
}

/** `POST /api/v1/auth/logout`: ends the session of the cookie or the bearer token, and removes the cookie. */
export const logout = endpoint({
  method: 'POST',
  path: '/api/v1/auth/logout',
  id: 'logout',
  tag: 'Login',
  summary: 'End the session and remove its cookie',
  description: 'The session of the cookie or of the bearer token ends on every replica within a second.',
  access: 'public',
  responses: { 204: { description: 'Removed.', headers: { 'Set-Cookie': 'Empty and expired.' } } },
  problems: ['forbidden', 'rate_limited'],
  limit: 'credentials',
  async handle({ ports, cookies, endSession }: LogoutDeps, _input, call) {
    // Attack: a form of another site logs the user out. Browsers send the Origin of the page with the form.
    const { origin } = call.headers;
    if (origin !== undefined && origin !== new URL(ports.publicUrl).origin) {
      throw new Problem('forbidden', 'Cross-site logout requests are not allowed.');
    }
    const name = cookieName('platform_session', cookies);
    // Also when the session could not be ended, which the answer then says.
    call.setHeaders({ ...noStore, 'Set-Cookie': clearCookie(name, cookies) });
    const token = bearerOf(call) ?? readCookie(call, name);
    const ended = token === null ? null : await endSession(token);
    if (ended !== null) {
      const actor = { type: 'user', id: ended.email } as const;
      call.audit({ action: 'auth.logout', actor, details: { session: ended.id } });
    }
    return empty(204);
  },
});
