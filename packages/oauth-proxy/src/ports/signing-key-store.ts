import type { StoredSigningKey } from '../model/signing-key.ts';

/** Keeps the signing keys of the proxy, for all replicas. */
export interface SigningKeyStore {
  /** Must return every key, newest first. */
  list(): Promise<readonly StoredSigningKey[]>;

  /** Must keep the key when its sequence is free; otherwise another replica was faster, and nothing happens. */
  add(key: StoredSigningKey): Promise<void>;

  /** Must delete the keys with a sequence below the given one. */
  removeBelow(sequence: number): Promise<void>;
}
