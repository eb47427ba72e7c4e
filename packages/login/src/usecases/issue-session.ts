import { type IssuedToken, MAX_TOKEN_BYTES, sessionKind } from '@platform/tokens';
import type { AuthenticatedUser } from '../model/login-transaction.ts';
import type { LoginPorts } from './ports.ts';

// Browsers drop a cookie whose name and value together have more bytes (RFC 6265bis section 5.7).
const maxCookieBytes = 4096;
const longestCookieName = '__Host-platform_session';

/** The longest session token in bytes: a native client sends it in a header, a browser as a cookie. */
const maxSessionBytes = {
  native: MAX_TOKEN_BYTES,
  browser: maxCookieBytes - longestCookieName.length,
} as const;

const sessionTooLong =
  'The session token would be too long: the identity provider sends too much in the claims that server.jwt_claims names, such as groups.';

/**
 * Issues a session token that its bearer can send; throws `createError(reason)` when it would be too long. A user in many groups
 * would otherwise get a token that every request rejects or that the browser drops silently, which ends in a login loop.
 */
export function issueSession(
  { tokens, log }: Pick<LoginPorts, 'tokens' | 'log'>,
  { uid, email, claims, emailVerified, account }: AuthenticatedUser,
  bearer: keyof typeof maxSessionBytes,
  createError: (reason: string) => Error,
): IssuedToken {
  const session = tokens.issue(sessionKind, { uid, email, claims, emailVerified, account });
  const [bytes, most] = [session.token.length, maxSessionBytes[bearer]];
  if (bytes <= most) return session;
  log.warn('a session token would be too long', { uid, bytes, most });
  throw createError(sessionTooLong);
}
