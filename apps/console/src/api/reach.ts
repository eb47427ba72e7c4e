/** Since when the platform does not answer; null while it does. Every request and stream of the page reports here. */
let lost: number | null = null;
const listeners = new Set<() => void>();

export function lostSince(): number | null {
  return lost;
}

export function reportReach(reached: boolean): void {
  const next = reached ? null : (lost ?? Date.now());
  if (next === lost) return;
  lost = next;
  for (const listener of listeners) listener();
}

export function onReach(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
