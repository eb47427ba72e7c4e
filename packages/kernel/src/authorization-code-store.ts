/** Names a one-time value: a state, an authorization code, a hand-over code. */
export interface AuthorizationCodeKey {
  /** SHA-256 of the value, lower-case hex: the value itself is never stored. */
  readonly hash: string;
  /** The uid of the extension that issued the value; null for the platform's own login. */
  readonly owner: string | null;
}

/** A one-time value to keep. */
export interface AuthorizationCode extends AuthorizationCodeKey {
  /** The sealed record that the value stands for. */
  readonly sealed: string;
  /** Milliseconds since the epoch, by the caller's clock. The value is expired from this moment on. */
  readonly expiresAt: number;
}

/**
 * Keeps one-time values for all replicas (RFC 6749 section 4.1.2: a code is used once and expires shortly). `now` is in
 * milliseconds since the epoch, by the caller's clock. A value of another owner must not be found.
 */
export interface AuthorizationCodeStore {
  /** Must keep the record under the hash. */
  save(code: AuthorizationCode): Promise<void>;

  /** Must return the sealed record and keep it; null for a value that is unknown, used or expired. */
  peek(key: AuthorizationCodeKey, now: number): Promise<string | null>;

  /**
   * Must delete the record and return it; null for a value that is unknown, used or expired. Exactly one of concurrent calls must get the
   * record.
   */
  consume(key: AuthorizationCodeKey, now: number): Promise<string | null>;

  /** Must delete at most `limit` expired records and return their number: `limit` means that there may be more. */
  deleteExpired(now: number, limit: number): Promise<number>;
}
