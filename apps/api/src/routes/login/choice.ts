import { Problem } from '@platform/kernel';
import type { LoginPorts } from '@platform/login';
import { z } from 'zod';
import type { Call } from '../../endpoint/call.ts';
import { readCookie } from '../../http/authorize.ts';
import { type CookieSettings, clearCookie, cookieName } from './cookies.ts';

/** `choice` of the pages that ask whether to log somebody in. */
export const choiceParameter = z
  .string()
  .optional()
  .meta({ description: '`allow`; anything else refuses.', example: 'allow' });

/** The login that a browser answers for, and the answer. Throws `forbidden` unless the platform's own page asked. */
export function readChoice(
  call: Pick<Call, 'headers'>,
  { publicUrl }: Pick<LoginPorts, 'publicUrl'>,
  cookies: CookieSettings,
  { choice }: { readonly choice?: string | undefined },
): { readonly id: string | null; readonly confirmed: boolean } {
  // Attack: another site submits the form in the user's name. Browsers send the Origin of the page with the form.
  if (call.headers.origin !== new URL(publicUrl).origin) {
    throw new Problem('forbidden', 'Cross-site confirmations of a login are not allowed.');
  }
  return { id: readCookie(call, cookieName('platform_login', cookies)), confirmed: choice === 'allow' };
}

/** The `Set-Cookie` value after the answer, which ends the login. */
export function forgetLogin(cookies: CookieSettings): string {
  return clearCookie(cookieName('platform_login', cookies), cookies);
}
