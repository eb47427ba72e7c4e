import { foldEmailCase, Problem } from '@platform/kernel';
import type { UserPrincipal } from '../principal.ts';
import { isOperator, sameUid } from './session.ts';
import type { SessionPorts } from './session-store.ts';

/**
 * Ends all sessions that a user has now, those of earlier releases included: oneself, or anyone as an operator. The user is named by uid or
 * e-mail address.
 *
 * Attack: a provider lets people enter any address; somebody with an operator's address signs out the operator. A caller's own sign-out
 * is therefore by uid, however they are named; only operators sign out an address.
 */
export async function signOut(
  { sessions, keepSignOutSeconds: keepSeconds }: SessionPorts,
  caller: UserPrincipal,
  user: string,
): Promise<void> {
  const isAddress = user.includes('@');
  if (!isOperator(caller)) {
    const isOneself = isAddress
      ? foldEmailCase(user) === foldEmailCase(caller.email)
      : sameUid(user, caller.uid);
    if (!isOneself) throw new Problem('forbidden', 'Only operators may sign out others.');
    await sessions.signOut({ uids: [caller.uid], email: null, keepSeconds });
    return;
  }
  if (!isAddress) {
    await sessions.signOut({ uids: [user], email: null, keepSeconds });
    return;
  }
  // Sessions that the user started under an earlier address have the same uid.
  await sessions.signOut({ uids: await sessions.usersByEmail(user), email: user, keepSeconds });
}
