import { Problem } from '@platform/kernel';
import type { LoginPorts } from '@platform/login';
import { empty } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { noStore } from '../../endpoint/refusals.ts';
import { type CookieSettings, clearCookie, cookieName } from './cookies.ts';

/** `POST /api/v1/auth/logout`: removes the session cookie. The session token itself stays valid until it expires. */
export const logout = endpoint({
  method: 'POST',
  path: '/api/v1/auth/logout',
  id: 'logout',
  tag: 'Login',
  summary: 'Remove the session cookie',
  access: 'public',
  responses: { 204: { description: 'Removed.', headers: { 'Set-Cookie': 'Empty and expired.' } } },
  problems: ['forbidden'],
  handle(
    { ports, cookies }: { readonly ports: Pick<LoginPorts, 'publicUrl'>; readonly cookies: CookieSettings },
    _input,
    { headers },
  ) {
    // Attack: a form of another site logs the user out. Browsers send the Origin of the page with the form.
    if (headers.origin !== undefined && headers.origin !== new URL(ports.publicUrl).origin) {
      throw new Problem('forbidden', 'Cross-site logout requests are not allowed.');
    }
    return empty(204, {
      ...noStore,
      'Set-Cookie': clearCookie(cookieName('platform_session', cookies), cookies),
    });
  },
});
