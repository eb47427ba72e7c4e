import { OAuthError, Problem } from '@platform/kernel';
import type { Request, Response } from 'express';
import { answer, answerJson, jsonType } from './answer.ts';
import { answerAndLinger } from './linger.ts';
import { problemHeaders } from './problem-answer.ts';

/** RFC 6749 section 5.1: neither tokens nor refusals are kept by anybody in between. */
export const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/**
 * Runs the handler of an OAuth endpoint: what it refuses is answered as RFC 6749 section 5.2 says instead of as
 * problem+json, and nothing it answers may be stored. Faults of our own go on to be logged.
 */
export function oauthHandler(
  handle: (request: Request, response: Response) => Promise<void>,
): (request: Request, response: Response) => Promise<void> {
  return async (request, response) => {
    for (const [name, value] of Object.entries(noStore)) response.setHeader(name, value);
    try {
      await handle(request, response);
    } catch (error) {
      if (error instanceof OAuthError) answerOAuthError(response, error);
      else if (error instanceof Problem && error.status !== 500)
        answerProblemAsOAuth(request, response, error);
      else throw error;
    }
  };
}

/** Answers `{error, error_description}` with the status of the code. */
export function answerOAuthError(response: Response, error: OAuthError): void {
  // RFC 6749 section 5.2: a client that tried to authenticate is told how.
  const headers = error.status === 401 ? { 'WWW-Authenticate': 'Basic realm="oauth"' } : {};
  answerJson(response, error.status, error.body, headers);
}

/** A refusal of the layers below in the words of OAuth, with its own status and headers. */
function answerProblemAsOAuth(request: Request, response: Response, problem: Problem): void {
  const code =
    problem.status === 503 || problem.status === 429 ? 'temporarily_unavailable' : 'invalid_request';
  const text = JSON.stringify(new OAuthError(code, problem.message).body);
  const headers = problemHeaders(problem);
  if (problem.code === 'payload_too_large') {
    answerAndLinger(request, response, problem.status, text, { ...headers, 'Content-Type': jsonType });
  } else {
    answer(response, problem.status, text, headers);
  }
}
