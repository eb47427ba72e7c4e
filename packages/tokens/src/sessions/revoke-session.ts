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
  | {
      readonly outcome: 'session';
      readonly session: PresentedSession;
      /** Whether the token is one of the session that apps hold: an ingress token. */
      readonly isOfApps: boolean;
    }
  /** Genuine, and of a kind that cannot be revoked: an access, workload or ID token. */
  | { readonly outcome: 'unsupported' }
  | { readonly outcome: 'invalid' };

/** The parameters of RFC 7009 section 2.1, and `session_id` instead of `token`. */
export interface RevocationRequest {
  readonly token: string | null;
  readonly sessionId: string | null;
}

/**
 * Revokes a session (RFC 7009): the caller's own, or any as an operator; for a public client (null) the one whose session token it
 * holds. A token that is not valid, or a session that is gone, is a success (section 2.2). Returns the session that was ended.
 *
 * Attack: somebody ends the session of somebody else. The session must belong to the caller.
 */
export async function revokeSession(
  { sessions }: Pick<SessionPorts, 'sessions'>,
  caller: UserPrincipal | null,
  { token, sessionId }: RevocationRequest,
  open: (token: string) => PresentedToken,
): Promise<PresentedSession | null> {
  if ((token === null) === (sessionId === null)) {
    throw new OAuthError('invalid_request', 'exactly one of token and session_id is required');
  }
  if (caller === null && token === null) {
    throw new OAuthError('invalid_client', 'Sessions are revoked by id with credentials only', {
      challenge: 'Bearer',
    });
  }
  const found = token === null ? await byId(sessions, sessionId ?? '') : byToken(open(token), caller);
  if (found === null) return null;
  if (caller !== null && !isOwn(caller, found) && !isOperator(caller)) {
    throw new OAuthError('access_denied', 'Only operators may revoke sessions of others');
  }
  await sessions.end(found.session);
  return found;
}

/** Attack: an app, which is handed the ingress tokens of its visitors, ends their sessions. */
function byToken(presented: PresentedToken, caller: UserPrincipal | null): PresentedSession | null {
  if (presented.outcome === 'invalid') return null;
  if (presented.outcome === 'unsupported' || (caller === null && presented.isOfApps)) {
    throw new OAuthError(
      'unsupported_token_type',
      'Only session tokens, and with credentials ingress tokens, can be revoked',
    );
  }
  return presented.session;
}

async function byId(sessions: SessionPorts['sessions'], id: string): Promise<PresentedSession | null> {
  const session = await sessions.find(id);
  if (session === null) return null;
  // Not the id as it was sent: that may be in another case, and replicas compare the ids of tokens.
  const { id: stored, uid, email, expiresAt } = session;
  return { uid, email, session: { id: stored, expiresAt: Math.ceil(Date.parse(expiresAt) / 1000) } };
}
