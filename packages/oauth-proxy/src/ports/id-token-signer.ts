import type { Claims } from '../model/flow.ts';
import type { Jwk } from '../model/upstream-metadata.ts';

/**
 * Signs the ID tokens of the proxy, RS256, with keys of each extension that sign nothing else: no ID token can ever pass for one of
 * another extension, or for an ingress or workload token of the platform.
 */
export interface IdTokenSigner {
  /** Must return a JWS whose header has `alg`, `typ: JWT` and the RFC 7638 thumbprint as `kid`. Adds no claim. */
  sign(extensionUid: string, claims: Claims): Promise<string>;

  /** Must return the public keys to verify them with: every one that a token of the extension in circulation may be signed with, on every replica. */
  publicKeys(extensionUid: string): Promise<readonly Jwk[]>;
}
