import { foldEmailCase, secretHash } from '@platform/kernel';
import type { SessionIdentity } from '../ports/ended-sessions.ts';

/** The end of sessions: of one, or of all of a user that had started by then. */
export interface Revocation {
  /** One of {@link sessionKey}, {@link userKey} and {@link emailKey}. */
  readonly key: string;
  /** Sessions of the key that started at this time or earlier have ended. Milliseconds, by the clock of the database. */
  readonly endedUntil: number;
  /** When it was stored. */
  readonly revokedAt: number;
  /** When the last session that it could end has expired. */
  readonly expiresAt: number;
}

/** How far the clocks of two machines may differ, in milliseconds: one of them may accept a token so long after it expired for another. */
export const clockToleranceMs = 60_000;

/** The key of one session. */
export const sessionKey = (id: string): string => `session:${id}`;
/** The key of every session of a user. */
export const userKey = (uid: string): string => `user:${uid.toLowerCase()}`;
/** The key of every session with an e-mail address, whatever user it belongs to. */
export const emailKey = (email: string): string => `email:${foldEmailCase(email)}`;

/** Where a login comes from, at the identity provider. */
export interface ProviderLogin {
  readonly issuer: string;
  /** Null for a key of `providerSession` alone. */
  readonly subject: string | null;
  /** The session at the identity provider; null where the provider names none. */
  readonly providerSession: string | null;
}

/** The key of every login from one session of the identity provider or, where the provider names none, from one account. */
export function providerKey({ issuer, subject, providerSession }: ProviderLogin): string {
  return providerSession === null
    ? `account:${secretHash(JSON.stringify([issuer, subject]))}`
    : `provider:${secretHash(JSON.stringify([issuer, providerSession]))}`;
}

/** The key of every login of an account of the identity provider: it has no user before its first one is complete. */
export function loginsKey({ issuer, subject }: Pick<ProviderLogin, 'issuer' | 'subject'>): string {
  return `logins:${secretHash(JSON.stringify([issuer, subject]))}`;
}

/** The keys by which a session can have been ended. */
export function keysOf({ id, uid, email }: Pick<SessionIdentity, 'id' | 'uid' | 'email'>): readonly string[] {
  const ofUser = [userKey(uid), emailKey(email)];
  return id === null ? ofUser : [sessionKey(id), ...ofUser];
}
