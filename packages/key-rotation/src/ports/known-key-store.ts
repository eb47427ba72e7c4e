/** The use of a configured key: sealing, session and access tokens, or ingress and workload tokens. */
export type KeyPurpose = 'encryption' | 'sessions' | 'identity';

/** Identifies a key without telling it: its configured id, its `kid`, or the start of its hash. */
export interface KeyName {
  readonly purpose: KeyPurpose;
  readonly id: string;
}

/** A key and when processes of the API started with it first and last. Times are RFC 3339. */
export interface KnownKey extends KeyName {
  readonly firstUsedAt: string;
  readonly lastUsedAt: string;
}

/** Remembers since when keys are in use, because the configuration does not say it. */
export interface KnownKeyStore {
  /** Must note that a process started with these keys; the time of the first start stays. `keys` has no key twice. */
  record(keys: readonly KeyName[]): Promise<void>;
  /** Must return all keys that were ever recorded, by purpose, the oldest first. */
  list(): Promise<readonly KnownKey[]>;
}
