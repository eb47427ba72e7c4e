/** The middle value; the mean of the two middle ones of an even number. NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The distance of the extremes as a part of the median: 0.1 says that the rounds lie within 10 %. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}

/**
 * What one thing is in another, round by round: what was measured moments apart is compared, so that what slows the machine for a while weighs
 * on both. Its median is the ratio. Rounds that only one of them has are left out.
 */
export function ratios(values: readonly number[], of: readonly number[]): readonly number[] {
  return values.slice(0, of.length).map((value, round) => value / (of[round] ?? Number.NaN));
}

/** The value below which this part of the values lies, e.g. 0.99; the nearest one that there is. NaN of nothing. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}
