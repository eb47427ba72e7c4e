import { type Logger, type Problem, rootCauseOf, StorageError } from '@platform/kernel';

/** Logs a request that was not served, whatever form its answer has. An outage fails every request: a short line for each is enough. */
export function logUnserved(log: Logger, requestId: string, problem: Problem): void {
  if (problem.status < 500) return;
  const { code, message: detail } = problem;
  log.warn('request not served', { requestId, code, detail, ...causeOf(problem) });
}

/** Why the database does not serve, in its own words: too many connections, a full disk, a refused connection. */
function causeOf({ cause }: Problem): { readonly cause?: string } {
  if (!(cause instanceof StorageError)) return {};
  const words = rootCauseOf(cause);
  return words === null ? {} : { cause: words };
}
