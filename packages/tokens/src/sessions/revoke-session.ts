import { OAuthError } from '@platform/kernel';
import type { SessionFacts, UserPrincipal } from '../principal.ts';
import { isOperator, isOwn } from './session.ts';
import type { SessionPorts } from './session-store.ts';

/** The session that a token belongs to, as far as ending it is concerned. */
export interface PresentedSession {
  readonly uid: string;
  readonly email: string;
  readonly session: Pick<SessionFacts, 'id' | 'expiresAt'>;
}

/** A token that is to be revoked. */
export type PresentedToken =
  | { readonly outcome: 'session'; readonly session: PresentedSession }
  /** Genuine, and of a kind that cannot be revoked: an access, workload or ID token. */
  | { readonly outcome: 'unsupported' }
  | { readonly outcome: 'invalid' };

/** The parameters of RFC 7009 section 2.1, and `session_id` instead of `token`. */
export interface RevocationRequest {
  readonly token: string | null;
  readonly sessionId: string | null;
}

/**
 * Revokes a session (RFC 7009): the caller's own, or any as an operator. A token that is not valid, or a session that is gone, is a
 * success (section 2.2). Returns the session that was ended.
 *
 * Attack: somebody ends the session of somebody else. The session must belong to the caller.
 */
export async function revokeSession(
  { sessions }: Pick<SessionPorts, 'sessions'>,
  caller: UserPrincipal,
  { token, sessionId }: RevocationRequest,
  open: (token: string) => PresentedToken,
): Promise<PresentedSession | null> {
  if ((token === null) === (sessionId === null)) {
    throw new OAuthError('invalid_request', 'exactly one of token and session_id is required');
  }
  const found = token === null ? await byId(sessions, sessionId ?? '') : byToken(open(token));
  if (found === null) return null;
  if (!isOwn(caller, found) && !isOperator(caller)) {
    throw new OAuthError('access_denied', 'Only operators may revoke sessions of others');
  }
  await sessions.end(found.session);
  return found;
}

function byToken(presented: PresentedToken): PresentedSession | null {
  if (presented.outcome === 'unsupported') {
    throw new OAuthError('unsupported_token_type', 'Only session and ingress tokens can be revoked');
  }
  return presented.outcome === 'session' ? presented.session : null;
}

async function byId(sessions: SessionPorts['sessions'], id: string): Promise<PresentedSession | null> {
  const session = await sessions.find(id);
  if (session === null) return null;
  const { uid, email, expiresAt } = session;
  return { uid, email, session: { id, expiresAt: Math.ceil(Date.parse(expiresAt) / 1000) } };
}
