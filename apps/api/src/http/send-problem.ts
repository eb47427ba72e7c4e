import { type Problem, problemCodes } from '@platform/kernel';
import type { Request, Response } from 'express';
import type { TextAnswer } from '../endpoint/answer.ts';
import { htmlPage, type Page, wantsHtml } from './page.ts';
import type { RequestContext } from './request-context.ts';
import { problemType, sendText } from './send.ts';
import { sendEarly } from './send-early.ts';

// Long enough for a failover or a burst to pass, and not much longer.
const defaultRetryAfterSeconds = 1;

/** The RFC 9457 document of a refusal. */
export function renderProblem(problem: Problem, context: Pick<RequestContext, 'id' | 'path'>): string {
  return JSON.stringify({
    type: `/problems/${problem.code}`,
    title: problemCodes[problem.code].title,
    status: problem.status,
    detail: problem.message,
    instance: context.path,
    code: problem.code,
    requestId: context.id,
    ...(problem.errors === undefined
      ? {}
      : { errors: problem.errors.map(({ path, message }) => ({ path, message })) }),
    ...problem.members,
  });
}

/**
 * The headers of a refusal: those that its status asks for (RFC 6750 section 3, RFC 9110 sections 15.5.6 and 10.2.3), and that no cache keeps
 * it. A cache may keep a 404 for a while that says nothing (RFC 9111 section 4.2.2).
 */
export function problemHeaders(problem: Problem): Record<string, string> {
  const { code, status, allow, retryAfterSeconds } = problem;
  // Only the client can know whether to repeat a write that may have happened.
  const repeatable = status === 503 && code !== 'outcome_unknown';
  const retryAfter = retryAfterSeconds ?? (repeatable ? defaultRetryAfterSeconds : undefined);
  return {
    'Cache-Control': 'no-store',
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(allow === undefined ? {} : { Allow: allow.join(', ') }),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  };
}

/** A refusal that a handler answers instead of throwing it. */
export function problemAnswer(problem: Problem, context: Pick<RequestContext, 'id' | 'path'>): TextAnswer {
  return {
    status: problem.status,
    body: renderProblem(problem, context),
    headers: problemHeaders(problem),
    contentType: problemType,
  };
}

/** Sends a refusal: a page to a browser that asks for one, the RFC 9457 document to everybody else. */
export function sendProblem(request: Request, response: Response, problem: Problem): void {
  const {
    body: text,
    contentType,
    headers,
  } = wantsHtml(request)
    ? htmlPage(problem.status, problemPage(problem, request.context), problemHeaders(problem))
    : problemAnswer(problem, request.context);
  if (problem.code === 'payload_too_large' || cutsOff(request, response)) {
    sendEarly(request, response, problem.status, text, { ...headers, 'Content-Type': contentType });
    return;
  }
  // Whether the client still sends the body that it asked about cannot be known (RFC 9110, section 10.1.1).
  const closing = request.headers.expect === undefined ? {} : { Connection: 'close' };
  sendText(response, problem.status, text, { ...headers, ...closing }, contentType);
}

/** Whether the connection would close on a body that is still coming in. A client that sent `Expect` may never send it. */
function cutsOff(request: Request, response: Response): boolean {
  return !request.complete && !response.shouldKeepAlive && request.headers.expect === undefined;
}

const loginPath = '/api/v1/auth/login';

/** A refusal as a page for a person: what happened, every fault, and the next step. */
function problemPage(
  problem: Problem,
  { id, path, query }: Pick<RequestContext, 'id' | 'path' | 'query'>,
): Page {
  const faults = (problem.errors ?? []).map(({ path: at, message }) => `${at}: ${message}`);
  return {
    title: problemCodes[problem.code].title,
    paragraphs: [problem.message, ...faults],
    link: nextStep(problem, query === '' ? path : `${path}?${query}`),
    note: `Error ${problem.code} · request ${id}`,
  };
}

function nextStep({ code }: Problem, address: string): NonNullable<Page['link']> {
  // A refused login cannot continue: its state and its code are used up.
  if (address.startsWith('/api/v1/auth/')) return { href: `${loginPath}?redirect=%2F`, text: 'Start again' };
  if (code === 'unauthenticated') {
    return { href: `${loginPath}?redirect=${encodeURIComponent(address)}`, text: 'Log in' };
  }
  return { href: `/problems/${code}`, text: 'Read more' };
}
