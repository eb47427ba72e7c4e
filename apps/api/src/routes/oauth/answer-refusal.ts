import { Problem } from '@platform/kernel';
import { ProxyError } from '@platform/oauth-proxy';
import type { Request, Response } from 'express';
import { answer, answerJson, jsonType } from '../../http/answer.ts';
import { answerAndLinger } from '../../http/linger.ts';
import { problemHeaders } from '../../http/problem-answer.ts';
import { errorPage, pageHeaders } from './error-page.ts';

/**
 * Answers a refusal as RFC 6749 section 5.2 says, or as a page when a person's browser asks for one. Faults of our own go on
 * to be logged.
 */
export function answerRefusal(
  request: Request,
  response: Response,
  error: unknown,
  { page }: { page: boolean },
): void {
  const refusal = asRefusal(error);
  if (refusal === null) throw error;
  const headers = refusalHeaders(refusal, error);
  if (page && wantsHtml(request)) {
    const text = errorPage(refusal, request.exchange.id);
    answer(response, refusal.status, text, { ...headers, ...pageHeaders }, 'text/html; charset=utf-8');
  } else if (error instanceof Problem && error.code === 'payload_too_large') {
    const text = JSON.stringify(refusal.body);
    answerAndLinger(request, response, refusal.status, text, { ...headers, 'Content-Type': jsonType });
  } else {
    answerJson(response, refusal.status, refusal.body, headers);
  }
}

/** A refusal of the layers below in the words of OAuth; null for what is a fault of our own. */
function asRefusal(error: unknown): ProxyError | null {
  if (error instanceof ProxyError) return error;
  if (!(error instanceof Problem) || error.status === 500) return null;
  const code = error.status >= 500 || error.status === 429 ? 'temporarily_unavailable' : 'invalid_request';
  return new ProxyError(code, error.message, { status: error.status });
}

function refusalHeaders(refusal: ProxyError, error: unknown): Readonly<Record<string, string>> {
  const { challenge, retryAfterSeconds } = refusal;
  return {
    ...(error instanceof Problem ? problemHeaders(error) : {}),
    ...(challenge === undefined ? {} : { 'WWW-Authenticate': challenge }),
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
  };
}

function wantsHtml(request: Request): boolean {
  return /\btext\/html\b/i.test(request.headers.accept ?? '');
}
