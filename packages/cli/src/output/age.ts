const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** How long ago a time (RFC 3339) was, as people say it: `5s`, `12m`, `3h`, `40d`. */
export function ageOf(time: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1000));
  for (const [unit, size] of units) {
    if (seconds >= 2 * size) return `${Math.floor(seconds / size)}${unit}`;
  }
  return `${seconds}s`;
}
