import { type IssuedToken, sessionKind } from '@platform/tokens';
import type { LoggedIn } from '../model/trip.ts';
import { maxSessionBytes, sessionTooLong } from '../rules/session-bound.ts';
import type { LoginPorts } from './ports.ts';

/**
 * A session token that its bearer can use; throws what `refusal` makes of the reason for one that would be too long.
 * Otherwise somebody in many groups gets one that every request refuses, or that the browser silently drops: a login without end.
 */
export function issueSession(
  { tokens, log }: Pick<LoginPorts, 'tokens' | 'log'>,
  { uid, email, claims, emailVerified, account }: LoggedIn,
  bearer: keyof typeof maxSessionBytes,
  refusal: (reason: string) => Error,
): IssuedToken {
  const session = tokens.issue(sessionKind, { uid, email, claims, emailVerified, account });
  const [bytes, most] = [session.token.length, maxSessionBytes[bearer]];
  if (bytes <= most) return session;
  log.warn('a session token would be too long', { uid, bytes, most });
  throw refusal(sessionTooLong);
}
