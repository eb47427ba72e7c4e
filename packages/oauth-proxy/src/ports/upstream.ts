import type { Claims, TokenAnswer } from '../model/flow.ts';
import type { Jwk, UpstreamMetadata } from '../model/upstream-metadata.ts';

/** What went wrong with an upstream. `reason` is safe to show: it holds no secret and nothing that upstream wrote. */
export type UpstreamFaultKind =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'bad_status'
  | 'unreadable'
  | 'issuer_mismatch'
  | 'invalid_id_token';

/** Thrown by every method of {@link Upstream} when it has nothing to return. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault';
  readonly kind: UpstreamFaultKind;

  constructor(kind: UpstreamFaultKind, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.kind = kind;
  }
}

/** A discovery document and what fetching it has shown. */
export interface Discovery {
  readonly metadata: UpstreamMetadata;
  /** Upstream's clock minus ours in milliseconds, from its `Date` header; null when it sent none. */
  readonly clockSkewMs: number | null;
}

/** The client that the provider knows us as. */
export interface UpstreamClient {
  readonly tokenEndpoint: string;
  /** Null for a provider that is described by the spec alone. */
  readonly metadata: UpstreamMetadata | null;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** How a token request ended: tokens, or a refusal. A 200 answer with an `error` member is a refusal. */
export type TokenOutcome =
  | { readonly outcome: 'tokens'; readonly answer: TokenAnswer }
  | { readonly outcome: 'rejected'; readonly status: number; readonly error: string | null };

/** What a verified ID token must say. */
export interface IdTokenExpectation {
  readonly metadata: UpstreamMetadata;
  readonly clientId: string;
  /** The nonce that was sent; null where a token need not have one (refresh). */
  readonly nonce: string | null;
  /** The access token that came with it, for `at_hash`; null when there was none. */
  readonly accessToken: string | null;
}

/** The answer of a forwarded request, bounded in size. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * The upstream provider. Every request goes through the guarded outbound module, takes a bounded time and reads a bounded
 * answer; every method throws {@link UpstreamFault} and nothing else.
 */
export interface Upstream {
  /**
   * Must return the discovery document of the issuer, whose `issuer` is exactly `issuerUrl`; its URLs are checked.
   * May be a few minutes old, unless `fresh`.
   */
  discover(issuerUrl: string, options?: { readonly fresh: boolean }): Promise<Discovery>;

  /** Must redeem a code of the upstream at its token endpoint. */
  exchangeCode(
    client: UpstreamClient,
    grant: { readonly code: string; readonly redirectUri: string; readonly verifier: string },
  ): Promise<TokenOutcome>;

  /** Must ask for new tokens. `scope` is sent when it is not null. */
  refresh(
    client: UpstreamClient,
    grant: { readonly refreshToken: string; readonly scope: string | null },
  ): Promise<TokenOutcome>;

  /** Must verify signature, algorithm, issuer, audience, `azp`, times, nonce and `at_hash`, and return the claims. */
  verifyIdToken(idToken: string, expected: IdTokenExpectation): Promise<Claims>;

  /** Must return the keys of the upstream, at most a few minutes old; none when its document names no `jwks_uri`. */
  keys(metadata: UpstreamMetadata): Promise<readonly Jwk[]>;

  /** Must ask the userinfo endpoint with the access token and return its answer whatever its status. */
  userinfo(endpoint: string, accessToken: string): Promise<ForwardedAnswer>;

  /** Must ask for the revocation of a token and return the status. */
  revoke(
    client: UpstreamClient,
    endpoint: string,
    token: { readonly token: string; readonly hint: string | null },
  ): Promise<number>;
}
