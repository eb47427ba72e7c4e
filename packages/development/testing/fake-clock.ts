import type { Clock } from '@platform/kernel';

/** A clock that stands still until the test moves it. */
export interface FakeClock extends Clock {
  /** Moves forward by `ms` milliseconds. */
  advance(ms: number): void;
  /** Jumps to a time, also backwards: clocks of real machines do that too. */
  set(ms: number): void;
}

/** A clock that starts at `start` (milliseconds since the epoch), by default on 2026-01-01 at midnight UTC. */
export function fakeClock(start: number = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    set: (ms) => {
      now = ms;
    },
  };
}
