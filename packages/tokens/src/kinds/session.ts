import { z } from 'zod';
import type { CommonClaims, IssuedKind } from './kind.ts';
import { absent, commonShape, numericDate, text } from './shapes.ts';

/** Whose session it is. */
export interface SessionInput {
  readonly uid: string;
  readonly email: string;
  /** The ID-token claims that `server.jwt_claims` names, by name. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** False when the ID token did not say that the address is verified; then the session says so too. */
  readonly emailVerified?: boolean;
  /** The account at the identity provider, for roles by issuer and subject. */
  readonly account?: { readonly issuer: string; readonly subject: string } | null;
  /** The stored session, by which it can be ended; absent for the session that the launcher prints. */
  readonly session?: StoredSession;
}

/** A session as the database knows it. */
export interface StoredSession {
  readonly id: string;
  /** By the clock of the database, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The claims of a session; those of `server.jwt_claims` are added. */
export interface SessionClaims extends CommonClaims {
  readonly email: string;
  /** The id of the session; absent in tokens of earlier releases. */
  readonly sid?: string | undefined;
  /** When the session started, in seconds with a fraction. */
  readonly session_iat?: number | undefined;
  readonly [name: string]: unknown;
}

/**
 * The names that `server.jwt_claims` can never fill.
 * Attack: an identity provider that lets its users choose a claim called `principal` or `exp`.
 */
const reservedClaims = new Set([
  ...['iss', 'aud', 'sub', 'email', 'iat', 'exp', 'nbf', 'jti'],
  ...['principal', 'token_use', 'idp_iss', 'idp_sub', '__proto__'],
  ...['sid', 'session_iat', 'session_exp'],
]);

/** The user's own token: made by a login, verified only inside the service. */
export const sessionKind: IssuedKind<SessionInput, SessionClaims> = {
  name: 'session',
  alg: 'HS256',
  typ: 'JWT',
  typOptional: true,
  audience: '`server.public_url`',
  lifetimeKey: 'server.jwt_expiry_seconds',
  shape: z.looseObject({
    ...commonShape,
    email: text,
    sid: text.optional(),
    session_iat: numericDate.optional(),
    principal: absent,
    token_use: absent,
  }),
  audienceOf: (_input, issuer) => issuer,
  claimsOf: ({ uid, email, claims, emailVerified = true, account = null, session }) => {
    const copied = Object.entries(claims).filter(
      ([name, value]) => !reservedClaims.has(name) && value !== undefined,
    );
    return {
      ...Object.fromEntries(copied),
      ...(emailVerified ? {} : { email_verified: false }),
      ...(account === null ? {} : { idp_iss: account.issuer, idp_sub: account.subject }),
      ...(session === undefined ? {} : { sid: session.id, session_iat: session.startedAt / 1000 }),
      sub: uid,
      email,
    };
  },
};
