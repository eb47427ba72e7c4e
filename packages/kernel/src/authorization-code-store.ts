/** The key of a one-time value: a state, an authorization code, a handover code. */
export interface AuthorizationCodeKey {
  /** SHA-256 of the value in lower-case hex; the value itself is not stored. */
  readonly hash: string;
  /** The uid of the extension that issued the value; null for the platform's own login. */
  readonly owner: string | null;
}

/** A one-time value with its record. */
export interface AuthorizationCode extends AuthorizationCodeKey {
  /** The sealed record that belongs to the value. */
  readonly sealed: string;
  /** Milliseconds since the epoch, by the caller's clock. From then on the value is expired. */
  readonly expiresAt: number;
}

/** How much an owner may store. `now` as for the store. */
export interface CodeRoom {
  /** The most bytes that the live records of the owner may have together, the new one included. */
  readonly maxBytes: number;
  /** The most bytes that the live records of all extensions of the owner's project may have together. */
  readonly maxProjectBytes: number;
  readonly now: number;
}

/**
 * Stores one-time values for all replicas (RFC 6749 section 4.1.2: a code is used once and expires soon). `now` is in
 * milliseconds since the epoch, by the caller's clock. Must not return a value of another owner.
 */
export interface AuthorizationCodeStore {
  /**
   * Must store the record under the hash and return true. Must store nothing and return false when there is no room for it, or no owner that
   * room could be counted for; concurrent calls need not count each other.
   */
  save(code: AuthorizationCode, room?: CodeRoom): Promise<boolean>;

  /** Must return the sealed record without deleting it; null if the value is unknown, used or expired. */
  peek(key: AuthorizationCodeKey, now: number): Promise<string | null>;

  /**
   * Must delete the record and return it; null if the value is unknown, used or expired. Exactly one of concurrent calls must get the
   * record.
   */
  consume(key: AuthorizationCodeKey, now: number): Promise<string | null>;

  /** Must delete at most `limit` expired records and return their number: `limit` means that there may be more. */
  deleteExpired(now: number, limit: number): Promise<number>;
}
