import type { UserPrincipal } from '../principal.ts';
import { isOperator } from './session.ts';
import type { SessionOwner, SessionPage, SessionPorts } from './session-store.ts';

/** Lists live sessions: the caller's own, and for operators everybody's or those of one user (uid or e-mail address). */
export async function listSessions(
  { sessions }: Pick<SessionPorts, 'sessions'>,
  caller: UserPrincipal,
  wanted: { readonly user: string | null; readonly limit: number; readonly after: string | null },
): Promise<SessionPage> {
  const own = { uid: caller.uid };
  return await sessions.list(isOperator(caller) ? ownerOf(wanted.user) : own, wanted);
}

function ownerOf(user: string | null): SessionOwner {
  if (user === null) return 'everybody';
  return user.includes('@') ? { email: user } : { uid: user };
}
