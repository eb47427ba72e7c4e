import type { Principal, UserPrincipal } from '@platform/tokens';
import type { SessionStore } from '../ports/session-store.ts';

/** The dependencies of the use cases. Each use case takes the part that it needs. */
export interface SessionPorts {
  readonly sessions: SessionStore;
  /** How long the sign-out of a user is remembered, in seconds: longer than any session lives. */
  readonly keepSignOutSeconds: number;
}

/** Whether the caller may end and see the sessions of others. */
export function isOperator(principal: Principal): boolean {
  return principal.type === 'operator';
}

/** Whether the session belongs to the caller. The e-mail address does not count: a provider may let people choose it. */
export function isOwn(user: UserPrincipal, { uid }: { readonly uid: string }): boolean {
  return user.uid === uid;
}
