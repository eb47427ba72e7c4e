import { backoff, explainError, type Logger, StorageError } from '@platform/kernel';

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

/**
 * Prepares, then listens. While the database cannot be reached it listens first, so that the process is alive but not ready, and keeps
 * trying. Any other failure is thrown, because waiting does not help.
 */
export async function startUp(steps: StartSteps, log: Logger): Promise<void> {
  let listening = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await steps.prepare();
      break;
    } catch (error) {
      if (!isPassing(error)) throw error;
      const retryInMs = backoff(attempt, retry);
      log.warn('the database cannot be reached, trying again', { retryInMs, reason: explainError(error) });
      if (!listening) await steps.listen();
      listening = true;
      await steps.wait(retryInMs);
    }
  }
  if (!listening) await steps.listen();
}

function isPassing(error: unknown): error is StorageError {
  return error instanceof StorageError;
}
