import { hasHash } from '@platform/kernel';
import type { StoredClientSecret } from '../model/extension.ts';

/** 256 random bits: they need no salt and no slow hash. */
export const clientSecretBytes = 32;

/** The text of a client secret made of random bytes. */
export function clientSecretText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

/**
 * Whether the secret is one of the stored ones.
 *
 * Attack: the time of a comparison that stops at the first difference reveals how much of a guess was right. All hashes are
 * compared in constant time, so that the time does not even reveal which one matched.
 */
export function isClientSecret(secret: string, stored: readonly StoredClientSecret[]): boolean {
  return stored.filter(({ hash }) => hasHash(secret, hash)).length > 0;
}

/** The secrets after a rotation: the new one, and the newest old one, which stays valid until the next rotation. */
export function rotatedSecrets(
  current: readonly StoredClientSecret[],
  fresh: StoredClientSecret,
): readonly StoredClientSecret[] {
  return [fresh, ...current.slice(0, 1)];
}
