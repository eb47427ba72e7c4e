import { backoff, type RandomBytes } from '@platform/kernel';

/** The longest wait after failures, in milliseconds. */
export const longestBackOffMs = 60_000;

/**
 * How long to wait after that many failures in a row, in milliseconds: a random part, between half and all, of a delay that doubles from
 * `firstMs` up to `longestMs`. So replicas that failed together do not retry together.
 */
export function backOffMs(
  failures: number,
  range: { readonly firstMs: number; readonly longestMs: number },
  random: RandomBytes,
): number {
  const [byte = 0] = random.bytes(1);
  return Math.round(backoff(failures - 1, range) * (0.5 + byte / 510));
}
