import type { Claims } from '../model/flow.ts';
import type { SharedSigningKey, StoredSigningKey } from '../model/signing-key.ts';
import type { Jwk } from '../model/upstream-metadata.ts';

/**
 * Signs the ID tokens of the proxy with RS256 and separate keys of each extension, so that no ID token is accepted as one of
 * another extension, or as an ingress or workload token of the platform.
 */
export interface IdTokenSigner {
  /**
   * Must return a JWS whose header has `alg`, `typ: JWT` and the RFC 7638 thumbprint as `kid`. Adds no claim, and keeps the digits of
   * numbers of `parseExact`. Null for an extension that no longer exists.
   */
  sign(extensionUid: string, claims: Claims): Promise<string | null>;

  /** Must return the public keys of all valid ID tokens of the extension, whichever replica signed them. */
  publicKeys(extensionUid: string): Promise<readonly Jwk[]>;
}

/** Stores the signing keys of the extensions, for all replicas. */
export interface SigningKeyStore {
  /** Must return every key of the extension, newest first, e.g. `[]` before its first login. */
  list(extensionUid: string): Promise<readonly StoredSigningKey[]>;

  /**
   * Must store the key if its sequence is free and the extension exists; otherwise it must do nothing: another replica has added a
   * key, or the extension was deleted.
   */
  add(extensionUid: string, key: StoredSigningKey): Promise<void>;

  /** Must delete the keys of the extension with a sequence below the given one. */
  removeBelow(extensionUid: string, sequence: number): Promise<void>;

  /** Must return the keys that all extensions shared in earlier releases, newest first. */
  listShared(): Promise<readonly SharedSigningKey[]>;
}
