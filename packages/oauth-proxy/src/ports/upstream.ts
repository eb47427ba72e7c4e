import type { Claims, TokenResponse } from '../model/flow.ts';
import type { Jwk, UpstreamMetadata } from '../model/upstream-metadata.ts';

/** The kinds of failures of an upstream. */
export type UpstreamFaultKind =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'bad_status'
  | 'unreadable'
  | 'issuer_mismatch'
  | 'invalid_id_token';

/** Thrown by the methods of {@link Upstream}. The message is safe to show: it contains no secret and no text of the upstream. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault';
  readonly kind: UpstreamFaultKind;

  constructor(kind: UpstreamFaultKind, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.kind = kind;
  }
}

/** A discovery document and the clock skew of its server. */
export interface Discovery {
  readonly metadata: UpstreamMetadata;
  /** Upstream's clock minus ours in milliseconds, from its `Date` header; null when it sent none. */
  readonly clockSkewMs: number | null;
}

/** The proxy as a client of the provider. */
export interface UpstreamClient {
  readonly tokenEndpoint: string;
  /** Null for a provider whose endpoints are in the spec. */
  readonly metadata: UpstreamMetadata | null;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The result of a token request. A 200 response with an `error` member is `rejected`. */
export type TokenOutcome =
  | { readonly outcome: 'tokens'; readonly answer: TokenResponse }
  | { readonly outcome: 'rejected'; readonly status: number; readonly error: string | null };

/** The expected values of an ID token. */
export interface IdTokenExpectation {
  readonly metadata: UpstreamMetadata;
  readonly clientId: string;
  /** The nonce that was sent; null if the token needs none (refresh). */
  readonly nonce: string | null;
  /** The access token of the same response, for `at_hash`; null without one. */
  readonly accessToken: string | null;
}

/** The response to a forwarded request, bounded in size. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * The upstream provider. Requests go through the guarded outbound module; their time and the size of their responses are bounded.
 * All methods throw {@link UpstreamFault} and no other error.
 */
export interface Upstream {
  /**
   * Must return the discovery document, whose `issuer` must equal `issuerUrl`, with checked URLs. It may be cached for a few
   * minutes, unless `fresh`.
   */
  discover(issuerUrl: string, options?: { readonly fresh: boolean }): Promise<Discovery>;

  /** Must redeem a code of the upstream at its token endpoint. */
  exchangeCode(
    client: UpstreamClient,
    grant: { readonly code: string; readonly redirectUri: string; readonly verifier: string },
  ): Promise<TokenOutcome>;

  /** Must request new tokens. `scope` is sent unless it is null. */
  refresh(
    client: UpstreamClient,
    grant: { readonly refreshToken: string; readonly scope: string | null },
  ): Promise<TokenOutcome>;

  /**
   * Must verify signature, algorithm, issuer, audience, `azp`, times, nonce and `at_hash`, and return the claims as `parseExact` reads
   * them.
   */
  verifyIdToken(idToken: string, expected: IdTokenExpectation): Promise<Claims>;

  /** Must return the keys of the upstream; none if its document has no `jwks_uri`. They may be cached for a few minutes, unless `fresh`. */
  keys(metadata: UpstreamMetadata, options?: { readonly fresh: boolean }): Promise<readonly Jwk[]>;

  /** Must request the userinfo endpoint with the access token and return the response, whatever its status. */
  userinfo(endpoint: string, accessToken: string): Promise<ForwardedAnswer>;

  /** Must request the revocation of a token and return the status; 200 for a token that the provider does not know. */
  revoke(
    client: UpstreamClient,
    endpoint: string,
    token: { readonly token: string; readonly hint: string | null },
  ): Promise<number>;
}
