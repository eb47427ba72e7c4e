/** How long an item waits after failures: at most `baseMs` after the first, doubled with each, never more than `capMs`. */
export interface BackOff {
  readonly baseMs: number;
  readonly capMs: number;
}

/** The wait after `failures` failures in a row, in milliseconds. Jittered over its upper half: never at once, never all together. */
export function backOffDelay({ baseMs, capMs }: BackOff, failures: number, random: number): number {
  const longest = Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 30));
  return Math.ceil((longest * (1 + random)) / 2);
}

/** How controllers wait after failures, unless told otherwise. */
export const defaultBackOff: BackOff = { baseMs: 500, capMs: 60_000 };
