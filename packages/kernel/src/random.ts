/** A source of secure random bytes; behind a port so that the domain stays deterministic in tests. */
export interface RandomBytes {
  /** Returns `length` unpredictable bytes from a cryptographically secure generator. */
  bytes(length: number): Uint8Array;
}
