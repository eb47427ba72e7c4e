import type { SealContext } from '@platform/kernel';
import type { Jwk } from './upstream-metadata.ts';

/** A key of one extension as it is kept. */
export interface StoredSigningKey {
  /** 1 for the first key of the extension, then one more for each. */
  readonly sequence: number;
  readonly publicKey: Jwk;
  /** The private JWK as JSON, sealed in {@link signingKeyContext}, or {@link sharedKeyContext} for a {@link SharedSigningKey}. */
  readonly sealedPrivateKey: string;
  /** Milliseconds since the epoch, by the clock of who made it. */
  readonly createdAt: number;
}

/** A key that all extensions shared in earlier releases. */
export interface SharedSigningKey extends StoredSigningKey {
  /** When this release took over. Milliseconds since the epoch. */
  readonly retiredAt: number;
}

/** Context of the private keys that ID tokens of an extension are signed with. */
export function signingKeyContext(extensionUid: string): SealContext {
  return { purpose: 'extension_signing_key', extension: extensionUid };
}

/** Context of the private keys that were shared. */
export const sharedKeyContext: SealContext = { purpose: 'proxy_signing_key' };
