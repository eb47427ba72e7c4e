import type { Logger } from '@platform/kernel';
import type { RequestHandler, Response } from 'express';
import type { Metrics } from './metrics.ts';

/**
 * Counts every request when its response is complete or its client gone. `log` gets a line for each; it is null when the
 * log level leaves them out. The line has the path without its query, which may carry codes and tokens, and no header.
 */
export function accessLog({ requests }: Metrics, log: Logger | null): RequestHandler {
  const observe = (response: Response, client: string | undefined) => {
    const { method } = response.req;
    const { id, path, route, startedAt, answeredAt, span } = response.req.context;
    // A stream lasts as long as its client wants, so its time is the time until it began.
    const milliseconds = (answeredAt ?? performance.now()) - startedAt;
    const isAnswered = response.writableFinished || answeredAt !== null;
    const status = isAnswered ? response.statusCode : 0;
    requests.observe({ method, route, status }, milliseconds / 1000);
    // No span is active when a response ends, so its ids are passed.
    log?.debug('request', { requestId: id, method, path, status, milliseconds, client, ...span?.ids });
  };
  // One function for all requests: 10,000 streams would keep a closure each.
  function count(this: Response): void {
    observe(this, undefined);
  }
  return (request, response, next) => {
    if (log === null) response.on('close', count);
    else {
      // Read now, because a stream drops its headers.
      const client = request.ip;
      response.on('close', () => observe(response, client));
    }
    next();
  };
}
