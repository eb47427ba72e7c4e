import { isConnectionLost } from './network-failure.ts';
import type { PlatformError } from './platform-error.ts';

/** When and how often a request is retried. */
export interface RetryPolicy {
  /** The maximum number of times a request is sent. */
  readonly attempts: number;
  /** The maximum wait before the second attempt, in milliseconds. It doubles with each attempt. */
  readonly baseMs: number;
  /** The maximum wait in milliseconds. When `Retry-After` asks for more, the request fails at once. */
  readonly capMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 5, baseMs: 200, capMs: 30_000 };

/**
 * The wait in milliseconds before a request that failed `failures` times is retried, or null to give up. After 429, 503 and
 * `request_in_progress` the platform has done nothing, except where its problem or a proxy leaves that open. It is open after a lost connection,
 * too; then only what is `repeatable` is retried. Full jitter (`random` is from 0 to 1) keeps clients from retrying together.
 */
export function retryDelay(
  error: PlatformError,
  failures: number,
  { attempts, baseMs, capMs }: RetryPolicy,
  random: number,
  repeatable: boolean,
): number | null {
  const isLost = isConnectionLost(error);
  const isTemporary =
    isLost || error.status === 429 || error.status === 503 || error.code === 'request_in_progress';
  if (!isTemporary || failures >= attempts) return null;
  // A proxy also answers 503 when it has lost the connection after it had passed the request on.
  const isUnknown =
    isLost ||
    error.code === 'outcome_unknown' ||
    (error.status === 503 && error.code === 'unexpected_answer');
  if (isUnknown && !repeatable) return null;
  const jitter = random * Math.min(capMs, baseMs * 2 ** (failures - 1));
  if (error.retryAfterSeconds === undefined) return Math.ceil(jitter);
  const retryAfterMs = error.retryAfterSeconds * 1000;
  return retryAfterMs > capMs ? null : Math.ceil(retryAfterMs + jitter);
}

/** Exponential backoff: at most `baseMs` after the first failure, doubled with each one, at most `capMs`. */
export interface BackOff {
  readonly baseMs: number;
  readonly capMs: number;
}

/** The backoff of controllers, unless `reconcile` is given another one. */
export const defaultBackOff: BackOff = { baseMs: 500, capMs: 60_000 };

/** The wait after `failures` consecutive failures, in milliseconds, with jitter over the upper half of it. */
export function backOffDelay({ baseMs, capMs }: BackOff, failures: number, random: number): number {
  const longest = Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 30));
  return Math.ceil((longest * (1 + random)) / 2);
}
