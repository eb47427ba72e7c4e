import type { SharedSigningKey, StoredSigningKey } from '../model/signing-key.ts';

/** Keeps the signing keys of the extensions, for all replicas. */
export interface SigningKeyStore {
  /** Must return every key of the extension, newest first, e.g. `[]` before its first login. */
  list(extensionUid: string): Promise<readonly StoredSigningKey[]>;

  /**
   * Must keep the key when its sequence is free; otherwise another replica was faster, and nothing happens. Nor for an extension
   * that does not exist any more.
   */
  add(extensionUid: string, key: StoredSigningKey): Promise<void>;

  /** Must delete the keys of the extension with a sequence below the given one. */
  removeBelow(extensionUid: string, sequence: number): Promise<void>;

  /** Must return the keys that earlier releases shared among all extensions, newest first. */
  listShared(): Promise<readonly SharedSigningKey[]>;
}
