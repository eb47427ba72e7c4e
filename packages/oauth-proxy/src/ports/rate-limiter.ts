/** Whether a request may go on. */
export type RateDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** Bounds how much one caller can ask of the proxy. */
export interface RateLimiter {
  /**
   * Counts one request of `address` to one extension, and says whether it may go on. Must keep apart the callers of an
   * extension, so that none can use up what the others have, and must bound its own memory.
   */
  take(request: { readonly extension: string; readonly address: string }): RateDecision;
}
