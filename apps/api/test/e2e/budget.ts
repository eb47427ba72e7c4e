import type { Parameters } from 'fast-check';

/** How long a failure may take to be made smaller. */
const shrinkingMs = 60_000;

/** The length of a nightly run in seconds, from `E2E_SECONDS`; undefined in a usual run. */
export const nightlySeconds =
  process.env['E2E_SECONDS'] === undefined ? undefined : Number(process.env['E2E_SECONDS']);

/** A test that tries a property gets this long (milliseconds): the last run and its shrinking come on top of the budget. */
export const timeoutMs = 240_000 + (nightlySeconds ?? 0) * 1000;

/**
 * How long a property is tried: so many seconds, or `E2E_SECONDS`. The runs are other ones each time, unless `E2E_SEED` is set. A failure
 * prints its seed and path; with `E2E_SEED` and `E2E_PATH` exactly that one is played again.
 */
export class Budget {
  readonly parameters: Parameters<unknown>;
  /** Runs that were played. */
  runs = 0;
  readonly #seconds: number;
  #end = 0;
  #failed = false;

  constructor(seconds: number) {
    const { E2E_SEED: seed, E2E_PATH: path } = process.env;
    this.#seconds = nightlySeconds ?? seconds;
    this.parameters = {
      numRuns: 10 * this.#seconds,
      ...(seed === undefined ? {} : { seed: Number(seed) }),
      ...(path === undefined ? {} : { path }),
    };
  }

  /** Plays while there is time; what comes later passes unplayed. A run that has begun is always played to its end. */
  spend<T>(play: (input: T) => Promise<void>): (input: T) => Promise<void> {
    return async (input) => {
      if (this.#end === 0) this.#end = performance.now() + this.#seconds * 1000;
      if (performance.now() > this.#end) return;
      this.runs += 1;
      try {
        await play(input);
      } catch (error) {
        if (!this.#failed) this.#end = performance.now() + shrinkingMs;
        this.#failed = true;
        throw error;
      }
    };
  }
}
