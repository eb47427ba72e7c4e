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
  // RFC 9112, section 3.2. Node would refuse by itself, but without these headers.
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw new Problem('malformed_request', 'The Host header is missing.');
  }
  next();
};
