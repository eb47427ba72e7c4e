const windowMs = 60_000;
const mostInWindow = 5;
const firstDelayMs = 500;

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
  return { restart: true, delayMs: firstDelayMs * 2 ** Math.max(0, recent - 1) };
}
