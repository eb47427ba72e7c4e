/**
 * How the tokens of a login are handed to the app.
 * `oidc`: the client speaks OpenID Connect to us, so the ID token is issued by the proxy.
 * `passthrough`: the upstream's tokens are handed over as they are.
 */
export type FlowMode = 'oidc' | 'passthrough';

/** A state token lives 10 minutes, an authorization code 5. Milliseconds. */
export const STATE_LIFETIME_MS = 10 * 60_000;
export const CODE_LIFETIME_MS = 5 * 60_000;

/** What is remembered, sealed, between `authorize` and `callback`. */
export interface StateRecord {
  readonly mode: FlowMode;
  /** The `redirect_uri` as the app sent it, for comparison at the token endpoint; null when it was omitted. */
  readonly redirectUri: string | null;
  /** Where the user goes afterwards: the checked URL, in its parsed form. */
  readonly target: string;
  readonly appState: string | null;
  readonly codeChallenge: string | null;
  /** The nonce that the app sent. */
  readonly nonce: string | null;
  /** The nonce that was sent upstream: our own, unless a pass-through app needs to find its own in the token. */
  readonly upstreamNonce: string;
  readonly upstreamVerifier: string;
  /** {@link upstreamFingerprint} of the spec that the login began with. */
  readonly fingerprint: string;
  /** {@link secretHash} of the value in the cookie of the browser that began; absent in records of releases before this cookie. */
  readonly browserHash?: string;
}

/** The members of an upstream token answer, as parsed. */
export type TokenAnswer = Readonly<Record<string, unknown>>;

/** The claims of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** What is kept, sealed, until the app redeems its code. */
export interface CodeRecord {
  readonly mode: FlowMode;
  readonly redirectUri: string | null;
  readonly target: string;
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly answer: TokenAnswer;
  /** The verified claims of the upstream ID token, in `oidc` mode when upstream sent one. */
  readonly claims: Claims | null;
  /** When upstream answered: `expires_in` counts from there. Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** What a refresh token that the proxy issued in `oidc` mode stands for. */
export interface RefreshRecord {
  readonly refreshToken: string;
  /** The subject and issuer that a refreshed ID token must have again (OpenID Connect Core, section 12.2). */
  readonly subject: string | null;
  readonly upstreamIssuer: string | null;
  readonly fingerprint: string;
}
