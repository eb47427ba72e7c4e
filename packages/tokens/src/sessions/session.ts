import type { Principal, UserPrincipal } from '../principal.ts';

/** A session as a login starts it. */
export interface NewSession {
  readonly uid: string;
  /** As in the token, in its original case. */
  readonly email: string;
  /** The account at the identity provider. */
  readonly issuer: string | null;
  readonly subject: string | null;
  /** The session at the identity provider (`sid` of the ID token); null where the provider names none. */
  readonly providerSession: string | null;
  /** For a list of sessions; see {@link readUserAgent}. */
  readonly userAgent: string;
  /** Lifetime in seconds. */
  readonly seconds: number;
  /** When the user logged in, in milliseconds since the epoch, by the clock of the database. */
  readonly authenticatedAt: number;
}

/** A live session. */
export interface Session {
  readonly id: string;
  readonly uid: string;
  readonly email: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly userAgent: string;
}

/** Characters of a user agent that are kept: enough to recognize a browser. */
const maxUserAgentLength = 256;

/**
 * The user agent as it is stored and shown. Attack: a line break or an escape sequence in it forges a line of a list or of a log on
 * somebody's terminal, and a megabyte of it fills the table.
 */
export function readUserAgent(sent: string | undefined): string {
  return (sent ?? '').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, maxUserAgentLength);
}

/** Whether the caller may end and see the sessions of others. */
export function isOperator(principal: Principal): boolean {
  return principal.type === 'operator';
}

/** Whether the session belongs to the caller. The e-mail address does not count: a provider may let people choose it. */
export function isOwn(user: UserPrincipal, { uid }: { readonly uid: string }): boolean {
  return sameUid(user.uid, uid);
}

/** Whether two uids are one, in whatever case they are written. */
export function sameUid(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
