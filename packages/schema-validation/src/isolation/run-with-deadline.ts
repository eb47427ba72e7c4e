import { createContext, Script } from 'node:vm';

/** A task exceeded its deadline. */
export class DeadlineExceededError extends Error {
  constructor(milliseconds: number) {
    super(`takes longer than ${milliseconds} ms to process`);
  }
}

const context = createContext({ task: undefined });
const call = new Script('task()');

/**
 * Runs synchronous code with a deadline; throws DeadlineExceededError. V8 checks the deadline in every loop iteration and wherever a
 * regular expression backtracks.
 */
export function runWithDeadline<Result>(milliseconds: number, task: () => Result): Result {
  context['task'] = task;
  try {
    return call.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new DeadlineExceededError(milliseconds);
    throw error;
  }
}
