/** Answers take a moment, and their `Date` has whole seconds: the clocks of the device and of the platform agree within this. */
const toleranceMs = 10_000;

/** How far the clock of the platform is ahead of the clock of this device. */
let aheadMs = 0;
const listeners = new Set<() => void>();

/** The time of the platform, as far as its answers have told it: the times of resources and sessions are compared with it. */
export function platformNow(): number {
  return Date.now() + aheadMs;
}

/** Takes the `Date` header of an answer. */
export function reportDate(date: string | null): void {
  const next = Date.parse(date ?? '') - Date.now();
  if (Number.isNaN(next) || Math.abs(next - aheadMs) <= toleranceMs) return;
  aheadMs = next;
  for (const listener of listeners) listener();
}

export function onClock(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
