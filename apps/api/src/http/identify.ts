import { Problem } from '@platform/kernel';
import type { RequestHandler } from 'express';
import { requestId } from './request-id.ts';
import { requestTarget } from './request-target.ts';

/** Opens the exchange: names the request, and sets the headers that every response has (contract 6). */
export const identify: RequestHandler = (request, response, next) => {
  const { path, query } = requestTarget(request.url);
  const id = requestId(request.headers['x-request-id']);
  const startedAt = performance.now();
  request.exchange = {
    id,
    path,
    query,
    startedAt,
    route: 'none',
    principal: null,
    span: null,
    problem: null,
  };
  response.setHeader('X-Request-Id', id);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // RFC 9112, section 3.2. Node would refuse a missing one by itself, but without these headers.
  const hosts = hostHeaders(request.rawHeaders);
  if (hosts === 0 && request.httpVersion === '1.1') {
    throw new Problem('malformed_request', 'The Host header is missing.');
  }
  // Attack: a proxy in front takes the one Host, and this server the other. Node keeps the first and says nothing.
  if (hosts > 1) throw new Problem('malformed_request', 'The Host header must be there once.');
  next();
};

/** How many Host headers there are; names stand at even places. */
function hostHeaders(raw: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/**
 * Tells browsers to come back over https alone (RFC 6797), where the platform is https.
 *
 * Attack: the first request of a day goes over plain http, and somebody on the way answers it.
 */
export function transportSecurity(publicUrl: string): RequestHandler {
  const isHttps = publicUrl.startsWith('https:');
  return (_request, response, next) => {
    if (isHttps) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    next();
  };
}
