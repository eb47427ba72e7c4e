import type { RandomBytes } from './random.ts';

/** A fresh 256-bit value, base64url: states, codes, nonces and PKCE verifiers. */
export function randomValue(random: RandomBytes): string {
  return Buffer.from(random.bytes(32)).toString('base64url');
}
