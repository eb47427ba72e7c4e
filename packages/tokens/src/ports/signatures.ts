import type { ExternalKey } from './external-keys.ts';

/** The algorithms of the platform's own tokens: a shared secret inside, a published key outside. */
export type OwnAlgorithm = 'HS256' | 'RS256';

/** A token before it is signed. The signer adds `kid` to an RS256 header. */
export interface UnsignedToken {
  readonly header: { readonly alg: OwnAlgorithm; readonly typ: string };
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Signs the platform's own tokens. */
export interface Signer {
  /**
   * Returns the compact JWS (RFC 7515) of exactly this header and these claims: HS256 under
   * the first signing secret, RS256 under the current private key with its RFC 7638 thumbprint as `kid`.
   */
  sign(token: UnsignedToken): string;
}

/**
 * Checks signatures and nothing else: the kinds of token check times, issuers, audiences and shapes.
 * The algorithm always comes from the caller, never from the token; `none` and other algorithms answer false.
 */
export interface SignatureVerifier {
  /**
   * Must answer true when and only when the platform signed the token with this algorithm: HS256 with
   * any of the configured secrets, RS256 with the published key (current or retired) that `kid` names.
   */
  verifyOwn(token: string, alg: OwnAlgorithm): boolean;
  /**
   * Must answer true when and only when the token is signed RS256 by `key`. Without a key it does the same
   * work against a key of its own and answers false, so that a missing key takes as long as a wrong signature.
   */
  verifyExternal(token: string, key: ExternalKey | undefined): boolean;
}
