/** Since when the platform does not answer; null while it does. Every request and stream of the page reports here. */
let lost: number | null = null;
/** That moment by the monotonic clock, which nobody sets. */
let lostAt = 0;
const listeners = new Set<() => void>();

export function lostSince(): number | null {
  return lost;
}

/** `startedAt` is when the request was sent, by `performance.now()`: an answer to an older one says nothing about now. */
export function reportReach(reached: boolean, startedAt: number): void {
  if (reached && lost !== null && startedAt < lostAt) return;
  const next = reached ? null : (lost ?? Date.now());
  if (next === lost) return;
  lost = next;
  lostAt = performance.now();
  for (const listener of listeners) listener();
}

export function onReach(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
