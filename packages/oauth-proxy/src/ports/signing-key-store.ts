import type { SharedSigningKey, StoredSigningKey } from '../model/signing-key.ts';

/** Stores the signing keys of the extensions, for all replicas. */
export interface SigningKeyStore {
  /** Must return every key of the extension, newest first, e.g. `[]` before its first login. */
  list(extensionUid: string): Promise<readonly StoredSigningKey[]>;

  /**
   * Must store the key if its sequence is free and the extension exists; otherwise it must do nothing: another replica has added a
   * key, or the extension was deleted.
   */
  add(extensionUid: string, key: StoredSigningKey): Promise<void>;

  /** Must delete the keys of the extension with a sequence below the given one. */
  removeBelow(extensionUid: string, sequence: number): Promise<void>;

  /** Must return the keys that all extensions shared in earlier releases, newest first. */
  listShared(): Promise<readonly SharedSigningKey[]>;
}
