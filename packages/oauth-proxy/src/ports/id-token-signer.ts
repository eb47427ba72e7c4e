import type { Claims } from '../model/flow.ts';
import type { Jwk } from '../model/upstream-metadata.ts';

/**
 * Signs the ID tokens of the proxy with RS256 and separate keys of each extension, so that no ID token is accepted as one of
 * another extension, or as an ingress or workload token of the platform.
 */
export interface IdTokenSigner {
  /** Must return a JWS whose header has `alg`, `typ: JWT` and the RFC 7638 thumbprint as `kid`. Adds no claim. */
  sign(extensionUid: string, claims: Claims): Promise<string>;

  /** Must return the public keys of all valid ID tokens of the extension, whichever replica signed them. */
  publicKeys(extensionUid: string): Promise<readonly Jwk[]>;
}
