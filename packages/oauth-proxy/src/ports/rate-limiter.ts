/** Whether a request is allowed. */
export type RateDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** Limits the requests of each caller. */
export interface RateLimiter {
  /**
   * Must count one request of `address` for `name`, an extension or an endpoint, and decide whether it is allowed. Must count each caller
   * of a name separately, so that none can use up the limit of another, and must bound its memory.
   */
  take(request: { readonly name: string; readonly address: string }): RateDecision;
}
