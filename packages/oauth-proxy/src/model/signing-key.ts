import type { SealContext } from '@platform/kernel';
import type { Jwk } from './upstream-metadata.ts';

/** A key of the proxy as it is kept. */
export interface StoredSigningKey {
  /** 1 for the first key ever made, then one more for each. */
  readonly sequence: number;
  readonly publicKey: Jwk;
  /** The private JWK as JSON, sealed in {@link signingKeyContext}. */
  readonly sealedPrivateKey: string;
  /** Milliseconds since the epoch, by the clock of who made it. */
  readonly createdAt: number;
}

/** Context of the private keys that ID tokens of the proxy are signed with. */
export const signingKeyContext: SealContext = { purpose: 'proxy_signing_key' };
