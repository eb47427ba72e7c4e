import { createHash } from 'node:crypto';

/** A source of random bytes. A port, so that the domain stays deterministic in tests. */
export interface RandomBytes {
  /** Must return `length` bytes from a cryptographically secure generator. */
  bytes(length: number): Uint8Array;
}

/** Creates a random 256-bit value in base64url, for states, codes, nonces and PKCE verifiers. */
export function randomValue(random: RandomBytes): string {
  return Buffer.from(random.bytes(32)).toString('base64url');
}

/**
 * The hash under which a random 256-bit secret is stored (client secrets, bootstrap credentials, states, codes): SHA-256 in lower-case hex.
 * It needs no salt and no slow hash, because such a secret cannot be guessed.
 */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}
