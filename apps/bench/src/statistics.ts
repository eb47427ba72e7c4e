/** The middle value, or the mean of the two middle values. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The range relative to the median: 0.1 means that all values lie within 10 % of it. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}

/**
 * The ratio of two variants for each round. Pairing the values of a round cancels slow drift of the machine. Rounds that only one variant
 * has are left out.
 */
export function ratios(values: readonly number[], baseline: readonly number[]): readonly number[] {
  return values.slice(0, baseline.length).map((value, round) => value / (baseline[round] ?? Number.NaN));
}

/** The nearest-rank percentile, e.g. of 0.99. NaN for an empty list. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)] ?? Number.NaN;
}
