/** Tells the time. The domain never reads the system clock; tests hand in one that they move. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** For intervals: it never goes back and never jumps when somebody sets the clock of the machine. It begins anywhere. */
export const monotonicClock: Clock = { now: () => performance.now() };
