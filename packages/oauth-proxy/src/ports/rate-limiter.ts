/** Whether a request is allowed. */
export type RateDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** Limits the requests of each caller of the proxy. */
export interface RateLimiter {
  /**
   * Must count one request of `address` to one extension and decide whether it is allowed. Must count each caller of an extension
   * separately, so that none can use up the limit of another, and must bound its memory.
   */
  take(request: { readonly extension: string; readonly address: string }): RateDecision;
}
