import type { Clock } from '@platform/kernel';
import type { RateLimiter } from '@platform/oauth-proxy';
import { callerOf } from './caller.ts';
import { Windows } from './windows.ts';

/** What the limiter is made of. */
export interface RateLimiterOptions {
  readonly clock: Clock;
  /** `limits.oauth_requests_per_minute`: of one caller to one extension. */
  readonly perMinute: number;
  /** Callers that are remembered, at most; 50000 unless given. */
  readonly maxCallers?: number;
}

/** How much one caller may ask of all extensions together, in multiples of what it may ask of one. */
const EXTENSIONS_AT_ONCE = 4;

/**
 * The port in the memory of one process, so a limit holds for each replica: with n replicas behind a balancer a caller gets
 * at most n times as much. Nothing is shared between callers, so there is nothing that one could use up for others.
 */
export function createRateLimiter({
  clock,
  perMinute,
  maxCallers = 50_000,
}: RateLimiterOptions): RateLimiter {
  const byExtension = new Windows(clock, perMinute, maxCallers);
  // Names need not exist, so without this one address could ask for ever new ones and never reach a limit.
  const byCaller = new Windows(clock, perMinute * EXTENSIONS_AT_ONCE, maxCallers);
  return {
    take({ extension, address }) {
      const caller = callerOf(address);
      const seconds = byCaller.take(caller) || byExtension.take(`${caller} ${extension}`);
      return seconds === 0 ? { allowed: true } : { allowed: false, retryAfterSeconds: seconds };
    },
  };
}
