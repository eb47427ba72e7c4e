import type { RequestHandler } from 'express';
import { requestId } from './request-id.ts';
import { requestTarget } from './request-target.ts';

/** Opens the exchange: names the request, and sets the headers that every response has (contract 6). */
export const identify: RequestHandler = (request, response, next) => {
  const { path, query } = requestTarget(request.url);
  const id = requestId(request.headers['x-request-id']);
  request.exchange = { id, path, query, startedAt: performance.now(), route: 'none', principal: null };
  response.setHeader('X-Request-Id', id);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};
