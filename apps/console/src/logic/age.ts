const units = [
  ['y', 31_536_000],
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** How long ago a time is, in one unit: `3 d`, `2 h`, `5 min`, `now`. */
export function ageOf(time: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(time)) / 1_000);
  if (!Number.isFinite(seconds)) return time;
  for (const [name, size] of units) if (seconds >= size) return `${Math.floor(seconds / size)} ${name}`;
  return 'now';
}

/** The exact time, as logs write it. */
export function exactTime(time: string): string {
  return time.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC');
}
