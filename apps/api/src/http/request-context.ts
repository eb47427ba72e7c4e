import { randomUUID } from 'node:crypto';
import { Problem, type ProblemCode, type RequestSpan } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import type { RequestHandler } from 'express';

/** The state of one request in the pipeline, besides the HTTP message itself. */
export interface RequestContext {
  /** Names the request in answers, logs and audit records; from the client when it sent a sane one. */
  readonly id: string;
  /** The path as it came, before any percent-decoding, without the query. */
  readonly path: string;
  /** The query as it came, without the `?`; empty when there is none. */
  readonly query: string;
  /** Milliseconds of a monotonic clock at arrival, for durations only. */
  readonly startedAt: number;
  /** The template of the route that took the request, e.g. `/api/v1/projects/:project`: a metric label, so never client text. */
  route: string;
  /** Who asks, once the route has required it. */
  principal: Principal | null;
  /** When the credential expires, in seconds since the Unix epoch; null without one. For streams, which outlive the check at their beginning. */
  expiresAt: () => number | null;
  /** Where the request shows in traces; null when it is not traced. */
  span: RequestSpan | null;
  /**
   * When the client had its answer, by the same clock as `startedAt`, for a response that goes on: a stream of unknown length, and a refusal
   * that waits for the rest of the body. Null for other answers.
   */
  answeredAt: number | null;
  /** Why it was refused, for traces; null when it was not. */
  problem: ProblemCode | null;
  /** Whether its refusal has an audit record already. */
  audited: boolean;
}

declare global {
  namespace Express {
    interface Request {
      /** Set by the first step of the pipeline; present in every later one. */
      context: RequestContext;
    }
  }
}

/** The expiry of a request without a credential. */
export const neverExpires = () => null;

/** Opens the request context: names the request, and sets the headers that every response has. */
export const requestContext: RequestHandler = (request, response, next) => {
  const id = requestId(request.headers['x-request-id']);
  request.context = {
    id,
    ...requestTarget(request.url),
    startedAt: performance.now(),
    route: 'none',
    principal: null,
    expiresAt: neverExpires,
    span: null,
    answeredAt: null,
    problem: null,
    audited: false,
  };
  response.setHeader('X-Request-Id', id);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // RFC 9112, section 3.2. Node would refuse a missing one by itself, but without these headers.
  const hosts = valuesOf(request.rawHeaders, 'host');
  if (hosts.length === 0 && request.httpVersion === '1.1') {
    throw new Problem('malformed_request', 'The Host header is missing.');
  }
  // Attack: a proxy in front checks one Host or credential, and this server uses another. Node keeps the first.
  if (hosts.length > 1) throw new Problem('malformed_request', 'The Host header must appear once.');
  if (!hosts.every((host) => hostForm.test(host))) {
    throw new Problem('malformed_request', 'The Host header is not a host with an optional port.');
  }
  if (valuesOf(request.rawHeaders, 'authorization').length > 1) {
    throw new Problem('malformed_request', 'The Authorization header must appear once.');
  }
  next();
};

/** Lets requests through once `isOpen` says so, else 503: the tables may not be there yet. */
export function readinessGuard(isOpen: () => boolean): RequestHandler {
  return (_request, _response, next) => {
    if (!isOpen()) throw new Problem('unavailable', 'The service is starting.');
    next();
  };
}

/**
 * Tells browsers to use https only (RFC 6797), where the platform is https.
 *
 * Attack: the first request of a day goes over plain http, and somebody in between answers it.
 */
export function transportSecurity(publicUrl: string): RequestHandler {
  const isHttps = publicUrl.startsWith('https:');
  return (_request, response, next) => {
    if (isHttps) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    next();
  };
}

// The characters of a host and a port (RFC 9110, section 7.2); a client without an authority sends an empty one.
const hostForm = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

// The id is echoed in a header and written to logs: only characters that can break neither, and bounded.
const sane = /^[A-Za-z0-9._:=+/-]{1,128}$/;

function requestId(offered: string | string[] | undefined): string {
  return typeof offered === 'string' && sane.test(offered) ? offered : randomUUID();
}

const absoluteForm = /^https?:\/\/[^/?#]*/i;

/**
 * Splits a request target (RFC 9112, section 3.2) without decoding anything: the path is split at its slashes first.
 * The absolute form, which servers must accept, loses its scheme and authority.
 */
function requestTarget(url: string): Pick<RequestContext, 'path' | 'query'> {
  const local = url.startsWith('/') ? url : url.replace(absoluteForm, '') || '/';
  const mark = local.indexOf('?');
  return mark === -1
    ? { path: local, query: '' }
    : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

/** The values of the headers with a lower-case name; names are at even indexes. */
function valuesOf(raw: readonly string[], wanted: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string;
    if (name.length === wanted.length && name.toLowerCase() === wanted) values.push(raw[index + 1] as string);
  }
  return values;
}
