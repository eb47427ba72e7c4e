import { z } from 'zod';

/** How long a person may take at the identity provider, in seconds. */
export const tripSeconds = 600;
/** How long a code for a native client is good for, in seconds (contract 3). */
export const codeSeconds = 300;
/** The one native client: the platform's own command line. */
export const nativeClientId = 'platform-cli';

/** Where a login ends: in the browser, at a page; or at a native client, with a code. */
export type Destination =
  | { readonly kind: 'browser'; readonly redirect: string }
  | {
      readonly kind: 'native';
      readonly redirectUri: string;
      readonly state: string;
      readonly codeChallenge: string;
      readonly nonce: string | null;
    };

/**
 * A login that is under way: what the browser carries to the identity provider and back, sealed in a cookie. Whoever
 * comes back without the cookie did not start the trip.
 */
export interface Trip {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  readonly destination: Destination;
}

const nativeShape = z.object({
  kind: z.literal('native'),
  redirectUri: z.string(),
  state: z.string(),
  codeChallenge: z.string(),
  nonce: z.string().nullable(),
});

const tripShape = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  expiresAt: z.number(),
  destination: z.union([z.object({ kind: z.literal('browser'), redirect: z.string() }), nativeShape]),
});

/** Reads an unsealed trip; null for anything else. */
export function readTrip(text: string): Trip | null {
  try {
    return tripShape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** A person who has logged in. */
export interface LoggedIn {
  /** The platform's own id of the user. */
  readonly uid: string;
  readonly email: string;
  /** The ID-token claims that `server.jwt_claims` names. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Whether roles may follow the address. */
  readonly emailVerified: boolean;
  /** The account at the identity provider; null in a code of an earlier release. */
  readonly account: { readonly issuer: string; readonly subject: string } | null;
}

/** What a code for a native client stands for. */
export interface Grant extends LoggedIn {
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly nonce: string | null;
}

const personShape = z.object({
  uid: z.string(),
  email: z.string(),
  claims: z.record(z.string(), z.unknown()),
  // Absent in a code that the previous release issued.
  emailVerified: z.boolean().default(false),
  account: z.object({ issuer: z.string(), subject: z.string() }).nullable().default(null),
});

const grantShape = personShape.extend({
  redirectUri: z.string(),
  codeChallenge: z.string(),
  nonce: z.string().nullable(),
});

/** Reads an unsealed grant; null for anything else. */
export function readGrant(text: string): Grant | null {
  try {
    return grantShape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** A native login that waits for the person to agree. */
export interface PendingLogin {
  readonly destination: Extract<Destination, { kind: 'native' }>;
  readonly person: LoggedIn;
}

const pendingShape = z.object({ destination: nativeShape, person: personShape });

/** Reads an unsealed pending login; null for anything else. */
export function readPendingLogin(text: string): PendingLogin | null {
  try {
    return pendingShape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
