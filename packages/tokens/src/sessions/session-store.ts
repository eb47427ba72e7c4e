import type { Revocation } from './revocation.ts';
import type { NewSession, Session } from './session.ts';

/** A page of sessions, newest first. */
export interface SessionPage {
  readonly items: readonly Session[];
  readonly more: boolean;
}

/** Whose sessions: of a user, by an e-mail address (compared without case), or everybody's. */
export type SessionOwner = { readonly uid: string } | { readonly email: string } | 'everybody';

/** The users whose sessions are to end. */
export interface SignOut {
  readonly uids: readonly string[];
  /** Ends every session with the address, also of users that the database does not know; null for none. */
  readonly email: string | null;
  /** How long the end of sessions has to be remembered: as long as any token of theirs may live. */
  readonly keepSeconds: number;
}

/** The sessions of one account or one session of an identity provider. */
export interface ProviderLogout {
  readonly issuer: string;
  /** At least one of both. */
  readonly subject: string | null;
  readonly providerSession: string | null;
  readonly keepSeconds: number;
  /** Identifies the logout, which counts once until `expiresAt` (milliseconds). */
  readonly once: { readonly hash: string; readonly expiresAt: number };
}

/** The live sessions, and the revocations that replicas follow. Times are those of the database, in milliseconds. */
export interface SessionStore {
  /**
   * Must store the session before its token is made; `startedAt` is the clock of the database. Null, and nothing is stored, when a sign-out of
   * the user or a logout at the identity provider has ended the login since `authenticatedAt`, on whichever replica.
   */
  start(session: NewSession): Promise<{ readonly id: string; readonly startedAt: number } | null>;
  /** Must return the live sessions, newest first. `after` is the id of the last one of the previous page. */
  list(
    owner: SessionOwner,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<SessionPage>;
  /** The live session with that id; null without one. */
  find(id: string): Promise<Session | null>;
  /** Must delete the session and store its revocation together. `expiresAt` in seconds since the epoch, as in its token. */
  end(session: { readonly id: string; readonly expiresAt: number }): Promise<void>;
  /** Must end all sessions that the users have now, together. Later ones are not affected. */
  signOut(target: SignOut): Promise<void>;
  /**
   * Must end the sessions of the account or of the provider's session, together; returns the users that were found. Must end none and return
   * null for all calls but one with a hash; a call that fails is none of them.
   */
  endByProvider(
    logout: ProviderLogout,
  ): Promise<readonly { readonly uid: string; readonly email: string }[] | null>;
  /** The users with that e-mail address, compared without case. */
  usersByEmail(email: string): Promise<readonly string[]>;

  /**
   * The revocations stored at `since` or later, oldest first, at most `limit`; `key` continues behind a key of that time. With `recentMs` also
   * those that were stored in that time until now: the clock of the database may have been set back, or a slower one took over.
   */
  revocationsSince(
    since: { readonly revokedAt: number; readonly key: string; readonly recentMs?: number },
    limit: number,
  ): Promise<readonly Revocation[]>;
  /** The newest `limit` revocations that can still end a session, oldest first. */
  latestRevocations(limit: number): Promise<readonly Revocation[]>;
  /** Whether one of the keys ends a session that started then. */
  isRevoked(keys: readonly string[], startedAt: number): Promise<boolean>;
  /** Deletes at most `limit` sessions and revocations that expired before `now`, and returns how many. */
  deleteExpired(now: number, limit: number): Promise<number>;
}

/** The dependencies of the use cases. Each use case takes the part that it needs. */
export interface SessionPorts {
  readonly sessions: SessionStore;
  /** How long the sign-out of a user is remembered, in seconds: longer than any session lives. */
  readonly keepSignOutSeconds: number;
}
