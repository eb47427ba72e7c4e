import type { SealContext } from '@platform/kernel';
import type { Jwk } from './upstream-metadata.ts';

/** A stored signing key of an extension. */
export interface StoredSigningKey {
  /** 1 for the first key of the extension, increased by one for each further key. */
  readonly sequence: number;
  readonly publicKey: Jwk;
  /** The private JWK as JSON, sealed in {@link signingKeyContext}, or {@link sharedKeyContext} for a {@link SharedSigningKey}. */
  readonly sealedPrivateKey: string;
  /** Milliseconds since the epoch, by the clock of the replica that created it. */
  readonly createdAt: number;
}

/** A key that all extensions shared in earlier releases. */
export interface SharedSigningKey extends StoredSigningKey {
  /** The time of the upgrade to keys of extensions. Milliseconds since the epoch. */
  readonly retiredAt: number;
}

/** Context of the private keys that sign the ID tokens of an extension. */
export function signingKeyContext(extensionUid: string): SealContext {
  return { purpose: 'extension_signing_key', extension: extensionUid };
}

/** Context of the shared private keys. */
export const sharedKeyContext: SealContext = { purpose: 'proxy_signing_key' };
