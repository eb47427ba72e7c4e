/**
 * The context in which a sealed secret can be used, e.g. `{ purpose: 'oauth_state', project: <uid>, extension: <uid> }`. The order of
 * members is irrelevant; a missing member and an empty one are different contexts.
 */
export interface SealContext {
  readonly purpose: string;
  readonly [part: string]: string;
}

/** Encrypts secrets at rest, bound to a context. */
export interface Sealer {
  /** Must return printable ASCII that {@link unseal} decrypts only with an equal context. */
  seal(plaintext: string, context: SealContext): string;

  /**
   * Must return the plaintext, or null for a text that was modified, sealed for another context or with a key that is no longer
   * configured, or is not a sealed text. Never throws, and never says which.
   */
  unseal(sealed: string, context: SealContext): string | null;
}

/** A sealer with several keys, for rotation. */
export interface KeyRing extends Sealer {
  /** The id of the key for new texts. */
  readonly currentKey: string;
  /** Must return the id of the key that a sealed text names, whether configured or not; null for other texts. */
  keyOf(sealed: string): string | null;
}
