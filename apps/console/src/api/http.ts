import type { components } from 'platform-service-client/api-types';
import { parseExactJson } from '../logic/exact-json.ts';
import { reportDate } from './clock.ts';
import { reportReach } from './reach.ts';
import { reportSession } from './session.ts';

export type Problem = components['schemas']['Problem'];

/** A refusal of the API as it was answered, or a failure to reach it at all. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly problem: Problem | null;
  readonly method: string;
  readonly path: string;
  /** Milliseconds to wait before the same request may be answered, as far as the answer says. */
  readonly retryAfterMs: number;

  constructor(
    request: { method: string; path: string },
    status: number,
    problem: Problem | null,
    id: string | null,
    waitMs = 0,
  ) {
    super(
      problem?.detail ??
        problem?.title ??
        (status === 0
          ? 'The service cannot be reached.'
          : `Something between this page and the platform has answered with status ${status}.`),
    );
    this.name = 'RequestError';
    this.method = request.method;
    this.path = request.path;
    this.status = status;
    this.code = problem?.code ?? (status === 0 ? 'unreachable' : 'unknown');
    this.requestId = id;
    this.problem = problem;
    this.retryAfterMs = waitMs;
  }
}

export interface RequestOptions {
  /** GET unless given. */
  readonly method?: string;
  readonly body?: unknown;
  /** Sent as it is, with this type. */
  readonly text?: { readonly type: string; readonly content: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends one request with the session cookie; throws {@link RequestError} for everything but a success. */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = 'GET', body, text, headers = {}, accept = 'application/json', signal } = options;
  const type = text?.type ?? (body === undefined ? undefined : 'application/json');
  const startedAt = performance.now();
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: { Accept: accept, ...(type === undefined ? {} : { 'Content-Type': type }), ...headers },
      body: text?.content ?? (body === undefined ? null : JSON.stringify(body)),
      credentials: 'same-origin',
      redirect: 'error',
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    reportReach(false, startedAt);
    throw new RequestError({ method, path }, 0, null, null);
  }
  reportReach(true, startedAt);
  reportDate(response.headers.get('Date'));
  reportSession(response.status);
  if (response.ok) return whole(response, () => new RequestError({ method, path }, 0, null, null), signal);
  throw new RequestError(
    { method, path },
    response.status,
    await readProblem(response),
    response.headers.get('X-Request-Id'),
    retryAfterMs(response),
  );
}

/** An answer with all of its body: one that is cut off on the way is as good as none, although the platform has done its work. */
async function whole(
  response: Response,
  lost: () => RequestError,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { status, headers } = response;
  try {
    const body = await response.arrayBuffer();
    return new Response(body.byteLength === 0 ? null : body, { status, headers });
  } catch (error) {
    throw signal?.aborted ? error : lost();
  }
}

/** Asks for something small, to learn whether the platform answers again. */
export function probe(): void {
  void send('/api/v1/auth/me').catch(() => undefined);
}

/** A stream was refused with 401: says so to the page, and asks again in case of a login meanwhile. */
export function reportSignedOut(): void {
  reportSession(401);
  probe();
}

/** Whether the answer to a write was lost, or replaced by a proxy, so that nobody knows yet whether it happened. */
export function isUncertain(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  const { code, status, problem } = error;
  return code === 'outcome_unknown' || status === 0 || (status >= 500 && problem === null);
}

/** Whether the same request may be answered soon: nothing was reached, there was too much at once, or a proxy or a replica restarts. */
export function isPassing(status: number): boolean {
  return status === 0 || status === 429 || status > 500;
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof RequestError && error.status === 0;
}

/** The error that replaces the content: none while the platform cannot be reached and there is older content to show. */
export function failureOf({ error, data }: { readonly error: Error | null; readonly data: unknown }) {
  return data !== undefined && isUnreachable(error) ? null : error;
}

/** The answer as JSON. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await (await send(path, options)).json()) as T;
}

/** The answer as JSON, with bigints for integers that a number would round. */
export async function requestExact<T>(path: string, signal: AbortSignal): Promise<T> {
  return parseExactJson(await (await send(path, { signal })).text()) as T;
}

/** Reads the problem of a refusal; null when something in between has answered instead of the service. */
export async function readProblem(response: Response): Promise<Problem | null> {
  try {
    const value = (await response.json()) as Problem;
    return typeof value === 'object' && value !== null && typeof value.title === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** A proxy in maintenance may ask for a day. It is asked again before, in case it is done. */
const mostMs = 10 * 60_000;

/** Milliseconds that an answer asks to wait before the next request, as seconds or as a date (RFC 9110, section 10.2.3); 0 when it asks for none. */
export function retryAfterMs({ headers }: Response, now = Date.now()): number {
  const value = headers.get('Retry-After');
  if (value === null) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? 0 : Math.min(mostMs, Math.max(0, ms));
}
