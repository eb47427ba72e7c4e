import { backoff, type RandomBytes } from '@platform/kernel';

/** The longest wait after failures, in milliseconds. */
export const longestBackOffMs = 60_000;

/**
 * How long to wait after that many failures in a row, in milliseconds: doubling from `firstMs`, at most a minute, and of that a random
 * part between half and all, so that replicas that failed together do not come back together.
 */
export function backOffMs(failures: number, firstMs: number, random: RandomBytes): number {
  const full = backoff(failures - 1, { firstMs, longestMs: longestBackOffMs });
  const [byte = 0] = random.bytes(1);
  return Math.round(full * (0.5 + byte / 510));
}
