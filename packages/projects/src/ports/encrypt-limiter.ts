/** Bounds the encryptions of one person (`limits.encrypt_requests_per_hour`), over all replicas. */
export interface EncryptLimiter {
  /** Must count one request of the user, and say whether it may go on, or after how many whole seconds the next may. */
  take(
    userUid: string,
  ): Promise<{ readonly allowed: true } | { readonly allowed: false; readonly retryAfterSeconds: number }>;
}
