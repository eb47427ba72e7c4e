/**
 * Where a sealed secret may be used, e.g. `{ purpose: 'oauth_state', project: <uid>, extension: <uid> }`.
 * The order of the members does not matter; a missing member and an empty one are different contexts.
 */
export interface SealContext {
  readonly purpose: string;
  readonly [part: string]: string;
}

/** Encrypts secrets at rest, bound to where they may be used. */
export interface Sealer {
  /** Must return a text of printable ASCII that only {@link unseal} with an equal context turns back. */
  seal(plaintext: string, context: SealContext): string;

  /**
   * Must return the plaintext, or null for a text that was changed, was sealed for another context or with a key
   * that is not configured any more, or is no sealed text at all. Never throws, never tells which.
   */
  unseal(sealed: string, context: SealContext): string | null;
}

/** A sealer that tells its keys apart, for rotation. */
export interface KeyRing extends Sealer {
  /** The id of the key that seals. */
  readonly currentKey: string;
  /** Must return the id of the key that a text says it is sealed with, configured or not; null when it is no sealed text. */
  keyOf(sealed: string): string | null;
}
