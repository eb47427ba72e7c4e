import { backoff, type Logger, monotonicClock, OutageLog } from '@platform/kernel';

/** The steps of a start. */
export interface StartSteps {
  /** Migrates and bootstraps; run again after it failed because the database could not be reached. */
  prepare(): Promise<void>;
  /** Begins to take connections. */
  listen(): Promise<void>;
  /** Resolves after so many milliseconds; rejects when the process is to stop. */
  wait(milliseconds: number): Promise<void>;
}

const retry = { firstMs: 250, longestMs: 5_000 };
const phrases = {
  began: 'the database cannot be reached, trying again',
  ended: 'the database is reached',
};

/**
 * Prepares, then listens. While the database cannot be reached it listens first, so that the process is alive but not ready, and keeps
 * trying. Any other failure is thrown, because waiting does not help.
 */
export async function startUp(steps: StartSteps, log: Logger): Promise<void> {
  const outage = new OutageLog(log, phrases, monotonicClock);
  let listening = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await steps.prepare();
      outage.end();
      break;
    } catch (error) {
      if (!outage.note(error)) throw error;
      if (!listening) await steps.listen();
      listening = true;
      await steps.wait(backoff(attempt, retry));
    }
  }
  if (!listening) await steps.listen();
}
