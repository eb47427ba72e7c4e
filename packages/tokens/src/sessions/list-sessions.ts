import type { UserPrincipal } from '../principal.ts';
import { isOperator } from './session.ts';
import type { SessionOwner, SessionPage, SessionPorts } from './session-store.ts';

/** Which sessions are listed. */
export interface WantedSessions {
  /** Only the session that the caller presented. */
  readonly current: boolean;
  /** For operators: a uid or an e-mail address; null for everybody's. */
  readonly user: string | null;
  readonly limit: number;
  /** The id of the last session of the previous page. */
  readonly after: string | null;
}

/** Lists live sessions: the caller's own, and for operators everybody's or those of one user. */
export async function listSessions(
  { sessions }: Pick<SessionPorts, 'sessions'>,
  caller: UserPrincipal,
  wanted: WantedSessions,
): Promise<SessionPage> {
  if (wanted.current) {
    const session = caller.session === undefined ? null : await sessions.find(caller.session.id);
    return { items: session === null ? [] : [session], more: false };
  }
  const own = { uid: caller.uid };
  return await sessions.list(isOperator(caller) ? ownerOf(wanted.user) : own, wanted);
}

function ownerOf(user: string | null): SessionOwner {
  if (user === null) return 'everybody';
  return user.includes('@') ? { email: user } : { uid: user };
}
