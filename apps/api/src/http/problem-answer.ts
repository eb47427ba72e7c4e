import { type Problem, problemCodes } from '@platform/kernel';
import type { Request, Response } from 'express';
import { answer, problemType } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { answerAndLinger } from './linger.ts';

// Long enough for a failover or a burst to pass, short enough that nobody waits for nothing.
const defaultRetryAfterSeconds = 1;

/** The RFC 9457 document of a refusal (contract 2, "Bodies"). */
export function renderProblem(problem: Problem, exchange: Pick<Exchange, 'id' | 'path'>): string {
  return JSON.stringify({
    type: `/problems/${problem.code}`,
    title: problemCodes[problem.code].title,
    status: problem.status,
    detail: problem.message,
    instance: exchange.path,
    code: problem.code,
    requestId: exchange.id,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    ...problem.members,
  });
}

/** The headers that the status of a refusal asks for: RFC 6750 section 3, RFC 9110 sections 15.5.6 and 10.2.3. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const headers: Record<string, string> = {};
  if (problem.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (problem.allow !== undefined) headers['Allow'] = problem.allow.join(', ');
  if (problem.status === 503 || problem.retryAfterSeconds !== undefined) {
    headers['Retry-After'] = String(problem.retryAfterSeconds ?? defaultRetryAfterSeconds);
  }
  return headers;
}

/** Answers with a refusal. */
export function answerProblem(request: Request, response: Response, problem: Problem): void {
  const text = renderProblem(problem, request.exchange);
  const headers = problemHeaders(problem);
  if (problem.code === 'payload_too_large') {
    answerAndLinger(request, response, problem.status, text, { ...headers, 'Content-Type': problemType });
    return;
  }
  // Whether the client still sends the body that it asked about cannot be known (RFC 9110, section 10.1.1).
  if (request.headers.expect !== undefined) headers['Connection'] = 'close';
  answer(response, problem.status, text, headers, problemType);
}
