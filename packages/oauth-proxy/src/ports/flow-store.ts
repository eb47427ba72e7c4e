/** A state or code to keep. `hash` is the SHA-256 of the value in hex: the value itself is never stored. */
export interface FlowEntry {
  readonly hash: string;
  readonly extensionUid: string;
  /** The sealed record. */
  readonly sealed: string;
  /** Milliseconds since the epoch, by the caller's clock. From this moment on the entry is as good as gone. */
  readonly expiresAt: number;
}

/** Names an entry of one extension; of any other extension it must not be found. */
export type FlowKey = Pick<FlowEntry, 'hash' | 'extensionUid'>;

/** Keeps logins while they are under way, for all replicas. Times are milliseconds since the epoch, by the caller's clock. */
export interface FlowStore {
  saveState(entry: FlowEntry): Promise<void>;

  /** Must delete the state and return its sealed record, or null when it is unknown or expired. Of concurrent calls exactly one gets it. */
  takeState(key: FlowKey, now: number): Promise<string | null>;

  saveCode(entry: FlowEntry): Promise<void>;

  /** Must return the sealed record of the code, or null when it is unknown, used or expired; it stays where it is. */
  peekCode(key: FlowKey, now: number): Promise<string | null>;

  /** Must delete the code; true for exactly one of all concurrent calls, false when it is unknown, used or expired. */
  consumeCode(key: FlowKey, now: number): Promise<boolean>;

  /** Must delete at most `limit` expired states and codes and return how many it deleted: `limit` means that more may be left. */
  sweepExpired(now: number, limit: number): Promise<number>;
}
