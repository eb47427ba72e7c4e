import { backoff } from '@platform/kernel';

const windowMs = 60_000;
const mostInWindow = 5;
/** The longest is not reached before the launcher gives up. */
const delay = { firstMs: 500, longestMs: 60_000 };

/** What to do about a process that has ended unexpectedly. */
export type RestartDecision =
  | { readonly restart: true; readonly delayMs: number }
  | { readonly restart: false };

/**
 * Decides from the times of its unexpected ends, the latest last: start it again, waiting twice as long each
 * time, or give up after the sixth end within a minute.
 */
export function decideRestart(ends: readonly number[], now: number): RestartDecision {
  const recent = ends.filter((end) => end > now - windowMs).length;
  if (recent > mostInWindow) return { restart: false };
  return { restart: true, delayMs: backoff(recent - 1, delay) };
}
