import { createHash, timingSafeEqual } from 'node:crypto';

/** A source of random bytes. A port, so that the domain stays deterministic in tests. */
export interface RandomBytes {
  /** Must return `length` bytes from a cryptographically secure generator. */
  bytes(length: number): Uint8Array;
}

/** Creates a random 256-bit value in base64url, for states, codes, nonces and PKCE verifiers. */
export function randomValue(random: RandomBytes): string {
  return Buffer.from(random.bytes(32)).toString('base64url');
}

/** Whether a text has the form of {@link randomValue}. */
export function isRandomValue(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/**
 * The hash under which a random 256-bit secret is stored (client secrets, bootstrap credentials, states, codes): SHA-256 in lower-case hex.
 * It needs no salt and no slow hash, because such a secret cannot be guessed.
 */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/**
 * Whether a secret is the one with this hash.
 *
 * Attack: the time of a comparison that stops at the first difference reveals how much of a guess was right.
 */
export function hasHash(secret: string, hash: string): boolean {
  return equalInConstantTime(secretHash(secret), hash);
}

/** Whether two secrets of any length are equal. Compares in constant time. */
export function isSameSecret(secret: string, expected: string): boolean {
  return hasHash(secret, secretHash(expected));
}

/** Whether two hashes are equal. Compares in constant time, unless their lengths differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}
