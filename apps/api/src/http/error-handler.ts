import type { AuditTrail } from '@platform/access';
import { type Logger, Problem, rootCauseOf, StorageError } from '@platform/kernel';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { recordRefusedRequest } from './audit.ts';
import { ClientGone } from './read-body.ts';
import { sendProblem } from './send-problem.ts';

/** The end of the pipeline: no route matches the request. */
export const unknownEndpoint: RequestHandler = () => {
  throw new Problem('unknown_endpoint', 'There is no endpoint at this path.');
};

/** Sends a refusal for whatever was thrown. Only internal errors are logged as errors; their cause is logged and never sent. */
export function errorHandler(log: Logger, audit: AuditTrail | null = null): ErrorRequestHandler {
  // express recognizes an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    if (error instanceof ClientGone) return;
    const problem = toProblem(error);
    const { id: requestId } = request.context;
    request.context.problem = problem.code;
    if (!request.context.audited) recordRefusedRequest(audit, request, problem);
    if (problem.code === 'internal_error') log.error('request failed', { requestId, error });
    else logUnserved(log, requestId, problem);
    // Too late for another status: only a cut connection tells the client that the body is not complete.
    if (response.headersSent) response.destroy();
    else sendProblem(request, response, problem);
  };
}

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

function toProblem(thrown: unknown): Problem {
  const error = withPathProblem(withStorageProblems(thrown));
  if (error instanceof Problem) return error;
  return new Problem('internal_error', 'The request could not be completed.', { cause: error });
}

/**
 * Translates errors of stores into the problems that callers see; every other error stays as it is. `Retry-After` follows from the code
 * (send-problem.ts).
 */
export function withStorageProblems(error: unknown): unknown {
  return error instanceof StorageError ? new Problem(error.code, error.message, { cause: error }) : error;
}

/** Translates the error of express about a path with a bad percent-encoding, whose parameters it decodes; every other error stays as it is. */
export function withPathProblem(error: unknown): unknown {
  return error instanceof URIError
    ? new Problem('malformed_path', 'The path is not percent-encoded UTF-8.')
    : error;
}
