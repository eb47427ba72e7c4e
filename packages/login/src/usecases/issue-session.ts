import { type IssuedToken, maxTokenBytes, sessionKind } from '@platform/tokens';
import { type AuthenticatedUser, maxCookieBytes } from '../model/login-transaction.ts';
import type { LoginPorts } from './ports.ts';

const longestCookieName = '__Host-platform_session';

/** The longest session token in bytes: a native client sends it in a header, a browser as a cookie. */
const maxSessionBytes = {
  native: maxTokenBytes,
  browser: maxCookieBytes - longestCookieName.length,
} as const;

const sessionTooLong =
  'The session token would be too long: the identity provider sends too much in the claims that server.jwt_claims names, such as groups.';

/**
 * Issues a session token that its bearer can send; throws `createError(reason)` when it would be too long, or when the login has ended. A user
 * in many groups would otherwise get a token that every request rejects or that the browser drops silently, which ends in a login loop.
 */
export async function issueSession(
  { tokens, sessions, sessionSeconds, clock, log }: SessionIssuerPorts,
  { uid, email, claims, emailVerified, account, providerSession, authenticatedAt }: AuthenticatedUser,
  { kind, userAgent }: Bearer,
  createError: (reason: string) => Error,
): Promise<IssuedToken & { readonly id: string }> {
  const { issuer = null, subject = null } = account ?? {};
  // The row comes first: a session without one could not be listed.
  const session = await sessions.start({
    uid,
    email,
    issuer,
    subject,
    providerSession,
    userAgent,
    seconds: sessionSeconds,
    authenticatedAt,
  });
  // Attack: a user is signed out everywhere, and a code that was issued before becomes a new session. A logout at the provider can also come while
  // the code of a browser is redeemed, which takes seconds where the provider is slow.
  if (session === null) throw createError('The user has been signed out since this login; log in again.');
  const issued = tokens.issue(sessionKind, { uid, email, claims, emailVerified, account, session });
  const [bytes, most] = [issued.token.length, maxSessionBytes[kind]];
  if (bytes <= most) return { ...issued, id: session.id };
  await sessions.end({ id: session.id, expiresAt: Math.ceil(clock.now() / 1000) + sessionSeconds });
  log.warn('a session token would be too long', { uid, bytes, most });
  throw createError(sessionTooLong);
}

type SessionIssuerPorts = Pick<LoginPorts, 'tokens' | 'sessions' | 'sessionSeconds' | 'clock' | 'log'>;

/** Who gets the token, and the program that asks for it. */
export interface Bearer {
  readonly kind: keyof typeof maxSessionBytes;
  /** The name of the program in lists of sessions. */
  readonly userAgent: string;
}
