import { z } from 'zod';

/** How long a login may take at the identity provider, in seconds. */
export const loginTransactionSeconds = 600;
/** Browsers drop a cookie whose name and value together have more bytes (RFC 6265bis section 5.7). */
export const maxCookieBytes = 4096;
/** How long a native client may take to redeem its authorization code, in seconds. */
export const codeSeconds = 300;
/** How long a user may take to type and confirm the code of a device, in seconds. */
export const deviceCodeSeconds = 600;
/** How long a device waits between two polls, in seconds (RFC 8628 section 3.5). */
export const devicePollSeconds = 5;
/** The only native client: the platform's own command line. */
export const nativeClientId = 'platform-cli';

/** How a client wants the user to be authenticated (OpenID Connect Core section 3.1.2.1). */
export interface Authentication {
  /** Some of `login`, `consent` and `select_account`. */
  readonly prompt: readonly string[];
  /** How long ago the user may have been authenticated, in seconds; null for any time. */
  readonly maxAge: number | null;
}

/** A native client that waits for an authorization code. */
export interface NativeDestination {
  readonly kind: 'native';
  readonly redirectUri: string;
  readonly state: string;
  readonly codeChallenge: string;
  readonly nonce: string | null;
  /** How many seconds before the login the user may have been authenticated; null for any time. */
  readonly maxAge: number | null;
}

/** A device without a browser that waits for somebody to confirm its user code. */
export interface DeviceDestination {
  readonly kind: 'device';
  /** In the form of `normalizeUserCode`. */
  readonly userCode: string;
}

/** Where a login ends: at a page in the browser, at a native client with an authorization code, or at a device. */
export type Destination =
  | { readonly kind: 'browser'; readonly redirect: string }
  | NativeDestination
  | DeviceDestination;

/**
 * A login in progress. It is sealed in a cookie while the browser is at the identity provider, so that a callback without
 * the cookie is rejected: that browser did not start the login.
 */
export interface LoginTransaction {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  readonly destination: Destination;
}

/** The user that the identity provider authenticated. */
export interface AuthenticatedUser {
  /** The platform's own id of the user. */
  readonly uid: string;
  readonly email: string;
  /** The ID-token claims that `server.jwt_claims` names. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Whether roles may be granted by the e-mail address. */
  readonly emailVerified: boolean;
  /** The account at the identity provider; null in a code of an earlier release. */
  readonly account: { readonly issuer: string; readonly subject: string } | null;
  /** The session at the identity provider (`sid` of the ID token); null where it names none. */
  readonly providerSession: string | null;
  /**
   * When the browser came back from the identity provider, in milliseconds since the epoch, by the clock of the database. Sign-outs and logouts
   * since then end the login, also those that happen while its code is redeemed.
   */
  readonly authenticatedAt: number;
  /** `auth_time` of the ID token, in seconds since the epoch; null where the provider does not say it. */
  readonly authTime: number | null;
}

/** The record that a native client's authorization code stands for. */
export interface CodeGrant extends AuthenticatedUser {
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly nonce: string | null;
}

/** A native login that waits for the user's confirmation. */
export interface PendingLogin {
  readonly destination: NativeDestination;
  readonly user: AuthenticatedUser;
}

/** The login of a device that waits for the user's confirmation. */
export interface PendingDevice {
  readonly userCode: string;
  readonly user: AuthenticatedUser;
}

const nativeSchema = z.object({
  kind: z.literal('native'),
  redirectUri: z.string(),
  state: z.string(),
  codeChallenge: z.string(),
  nonce: z.string().nullable(),
  // Logins of the previous release do not have it.
  maxAge: z.number().nullable().default(null),
});

const deviceSchema = z.object({ kind: z.literal('device'), userCode: z.string() });

const transactionSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  expiresAt: z.number(),
  destination: z.union([
    z.object({ kind: z.literal('browser'), redirect: z.string() }),
    nativeSchema,
    deviceSchema,
  ]),
});

const userSchema = z.object({
  uid: z.string(),
  email: z.string(),
  claims: z.record(z.string(), z.unknown()),
  // Codes of the previous release do not have these two members.
  emailVerified: z.boolean().default(false),
  account: z.object({ issuer: z.string(), subject: z.string() }).nullable().default(null),
  // Nor these. A code that does not say when it began ends with any sign-out of its user.
  providerSession: z.string().nullable().default(null),
  authenticatedAt: z.number().default(0),
  authTime: z.number().nullable().default(null),
});

const grantSchema = userSchema.extend({
  redirectUri: z.string(),
  codeChallenge: z.string(),
  nonce: z.string().nullable(),
});

const pendingSchema = z.object({ destination: nativeSchema, user: userSchema });

const pendingDeviceSchema = z.object({ userCode: z.string(), user: userSchema });

/** Reads an unsealed login transaction; null for any other text. */
export function readLoginTransaction(text: string): LoginTransaction | null {
  return parsed(transactionSchema, text);
}

/** Reads an unsealed code grant; null for any other text. */
export function readCodeGrant(text: string): CodeGrant | null {
  return parsed(grantSchema, text);
}

/** Reads an unsealed pending login; null for any other text. */
export function readPendingLogin(text: string): PendingLogin | null {
  return parsed(pendingSchema, text);
}

/** Reads an unsealed pending login of a device; null for any other text. */
export function readPendingDevice(text: string): PendingDevice | null {
  return parsed(pendingDeviceSchema, text);
}

/** Reads the unsealed record of an approved device; null for any other text. */
export function readDeviceGrant(text: string): AuthenticatedUser | null {
  return parsed(userSchema, text);
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
