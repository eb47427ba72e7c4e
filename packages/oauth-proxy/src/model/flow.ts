/**
 * How the app gets the tokens of a login.
 * `oidc`: the app uses OpenID Connect with the proxy, which issues the ID token.
 * `passthrough`: the app gets the upstream's tokens unchanged.
 */
export type FlowMode = 'oidc' | 'passthrough';

/** A state is valid for 10 minutes, an authorization code for 5. Milliseconds. */
export const stateLifetimeMs = 10 * 60_000;
export const codeLifetimeMs = 5 * 60_000;

/**
 * The bytes of sealed answers of a provider that wait for the app. Attack: a tenant's provider answers logins, which nobody completes, with a
 * megabyte each, and fills the database; with hundreds of extensions, more of it. An answer of usual size always has room, so that a visitor
 * who completes no login cannot keep others out: the rate limits bound these.
 */
export const waitingAnswers = {
  alwaysStored: 32 * 1024,
  maxBytes: 32 * 1024 * 1024,
  maxProjectBytes: 128 * 1024 * 1024,
} as const;

/** The record of a login between `authorize` and `callback`; stored sealed. */
export interface StateRecord {
  readonly mode: FlowMode;
  /** The `redirect_uri` as the app sent it, for comparison at the token endpoint; null when it was omitted. */
  readonly redirectUri: string | null;
  /** The validated redirect URI, in its parsed form. */
  readonly target: string;
  readonly appState: string | null;
  readonly codeChallenge: string | null;
  /** The nonce that the app sent. */
  readonly nonce: string | null;
  /** The nonce that was sent upstream: our own, except in passthrough mode, where the app expects its own in the token. */
  readonly upstreamNonce: string;
  readonly upstreamVerifier: string;
  /** {@link upstreamFingerprint} of the spec at the start of the login. */
  readonly fingerprint: string;
  /** {@link secretHash} of the cookie that binds the login to its browser; absent in records of releases without this cookie. */
  readonly browserHash?: string;
}

/** The parsed members of an upstream's token response. */
export type TokenResponse = Readonly<Record<string, unknown>>;

/** The claims of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** The record of an authorization code; stored sealed until the app redeems the code. */
export interface CodeRecord {
  readonly mode: FlowMode;
  readonly redirectUri: string | null;
  readonly target: string;
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly answer: TokenResponse;
  /** The verified claims of the upstream ID token, in `oidc` mode when upstream sent one. */
  readonly claims: Claims | null;
  /** The time of the upstream's response, from which `expires_in` counts. Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** {@link upstreamFingerprint} of the spec at the start of the login; absent in records of releases that did not compare it. */
  readonly fingerprint?: string;
}

/** The record in a refresh token that the proxy issued in `oidc` mode. */
export interface RefreshRecord {
  readonly refreshToken: string;
  /** The subject and issuer, which a refreshed ID token must repeat (OpenID Connect Core section 12.2). */
  readonly subject: string | null;
  readonly upstreamIssuer: string | null;
  readonly fingerprint: string;
}
