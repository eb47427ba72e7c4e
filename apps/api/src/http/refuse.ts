import { type Logger, Problem } from '@platform/kernel';
import type { ErrorRequestHandler } from 'express';
import { ClientGone } from './client-gone.ts';
import { answerProblem } from './problem-answer.ts';

/** Turns whatever was thrown into an answer. Only a fault of our own is logged as an error; its cause is logged and never sent. */
export function refuse(log: Logger): ErrorRequestHandler {
  // express recognizes an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    if (error instanceof ClientGone) return;
    const problem = toProblem(error);
    const { id: requestId } = request.exchange;
    request.exchange.problem = problem.code;
    if (problem.code === 'internal_error') log.error('request failed', { requestId, error });
    // An outage fails every request: a short line for each is enough.
    else if (problem.status >= 500)
      log.warn('request not served', { requestId, code: problem.code, detail: problem.message });
    // Too late for another status: cutting the connection is the only way to tell that the body is not whole.
    if (response.headersSent) response.destroy();
    else answerProblem(request, response, problem);
  };
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // express decodes the parameters of a path and fails so on a bad percent-encoding.
  if (error instanceof URIError)
    return new Problem('malformed_path', 'The path is not percent-encoded UTF-8.');
  return new Problem('internal_error', 'The request could not be completed.', { cause: error });
}
