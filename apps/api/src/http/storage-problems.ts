import { Problem, StorageError } from '@platform/kernel';

/**
 * Translates errors of stores into the problems that callers see; every other error stays as it is. `Retry-After` follows from the code
 * (send-problem.ts).
 */
export function withStorageProblems(error: unknown): unknown {
  return error instanceof StorageError ? new Problem(error.code, error.message, { cause: error }) : error;
}
