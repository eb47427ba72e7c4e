import { Problem } from '@platform/kernel';
import type { RateLimiter } from '@platform/oauth-proxy';
import type { Request } from 'express';

/** The limits on login, token exchange, workload identity and encryption. */
export interface AbuseLimits {
  /** Bytes of a body. Callers without a credential get as far as their body is read. */
  readonly bodyLimit: number;
  /** Counts one request of the caller to the endpoint. @throws `rate_limited` above the limit. */
  take(request: Request): void;
}

/** No token, code or secret is longer, with its other parameters. */
const maxBodyBytes = 64 * 1024;

/**
 * The limits of one process. Attack: codes and credentials are guessed, or anonymous logins make the platform ask its identity provider
 * with the platform's own client secret until that provider throttles it.
 */
export function createAbuseLimits(limiter: RateLimiter, bodyLimitBytes: number): AbuseLimits {
  return {
    bodyLimit: Math.min(maxBodyBytes, bodyLimitBytes),
    take(request) {
      const decision = limiter.take({ name: request.context.route, address: request.ip ?? '' });
      if (decision.allowed) return;
      const { retryAfterSeconds } = decision;
      throw new Problem('rate_limited', `Too many requests; try again in ${retryAfterSeconds} s.`, {
        retryAfterSeconds,
      });
    },
  };
}
