import { createHash } from 'node:crypto';

/**
 * The hash under which a secret of 256 random bits is kept (client secrets, bootstrap credentials, states, codes): SHA-256,
 * lower-case hex. No salt and no slow hash are needed where nothing can be guessed.
 */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}
