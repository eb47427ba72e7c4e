/** Time for streams. */
export interface Timers {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** A number in [0, 1). */
  random(): number;
  /** Runs `task` every `ms` milliseconds. Returns a function that ends it. */
  every(ms: number, task: () => void): () => void;
  /** Resolves after `ms` milliseconds, or as soon as `wake` is called. */
  sleep(ms: number): { readonly done: Promise<void>; wake(): void };
}
