import { backoff } from '@platform/kernel';
import type { DeliveryState, PauseReason } from '../model/subscription.ts';

/** An attempt that failed. */
export interface DeliveryFailure {
  /** In the words of the status. */
  readonly detail: string;
  /** The delay that the receiver asked for; null without one. */
  readonly retryAfterMs: number | null;
  /** Whether the receiver wants no more (RFC 9110, section 15.5.11). */
  readonly gone: boolean;
}

const hourMs = 3_600_000;
/** A subscription whose attempts fail for this long is paused. */
export const pausedAfterMs = 24 * hourMs;
/** Shorter failures, such as a restart of the receiver, are not worth a write of the status. */
const reportedAfterMs = 60_000;
const range = { firstMs: 5_000, longestMs: hourMs };

/** The state after a failed attempt. `random` is from 0 to 1: receivers that fail together are not all tried at the same time. */
export function afterFailure(
  state: DeliveryState,
  { detail, retryAfterMs, gone }: DeliveryFailure,
  now: number,
  random: number,
): DeliveryState {
  const failingSince = Math.min(state.failingSince ?? now, now);
  const attempts = state.attempts + 1;
  const ends = failingSince + pausedAfterMs;
  const paused: PauseReason | null = gone ? 'Gone' : now >= ends ? 'DeliveryFailed' : null;
  const wait = Math.max(
    backoff(state.attempts, range) * (0.75 + random / 4),
    Math.min(retryAfterMs ?? 0, hourMs),
  );
  // The last attempt is made just before the pause.
  const nextAttemptAt = now < ends ? Math.min(now + wait, ends) : now + wait;
  return {
    ...state,
    attempts,
    failingSince,
    nextAttemptAt: Math.ceil(nextAttemptAt),
    failure: detail,
    paused,
  };
}

/** The state after a success. */
export function afterSuccess(state: DeliveryState): DeliveryState {
  if (state.attempts === 0) return state;
  return { ...state, attempts: 0, failingSince: null, nextAttemptAt: 0, failure: null };
}

/**
 * Whether the next attempt is due. One that is further away than any wait was set by a clock that was ahead and was set back since: the
 * subscription would otherwise get nothing for as long as the clock was wrong.
 */
export function isDue({ nextAttemptAt }: DeliveryState, now: number): boolean {
  return nextAttemptAt <= now || nextAttemptAt > now + range.longestMs;
}

/** Whether the status should tell that a subscription is retried. */
export function isLasting({ failingSince }: DeliveryState, now: number): boolean {
  return failingSince !== null && now - failingSince >= reportedAfterMs;
}

/** The wait of a `Retry-After` header (RFC 9110, section 10.2.3); null for one that is missing or not valid. */
export function readRetryAfter(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
