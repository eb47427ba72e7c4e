import type { Logger } from '@platform/kernel';
import type { RequestHandler } from 'express';
import type { Metrics } from './metrics.ts';

/**
 * Counts every request when its response is complete or its client gone. `log` gets a line each; it is null where
 * nobody reads them. The line has the path without its query, which may carry codes and tokens, and no header.
 */
export function accessLog(metrics: Metrics, log: Logger | null): RequestHandler {
  return (request, response, next) => {
    response.once('close', () => {
      const { id, path, route, startedAt, streamingSince, span } = request.context;
      // A stream lasts as long as its client wants: what counts is how long it took to begin.
      const milliseconds = (streamingSince ?? performance.now()) - startedAt;
      const isAnswered = response.writableFinished || streamingSince !== null;
      const status = isAnswered ? response.statusCode : 0;
      metrics.observe(request.method, route, status, milliseconds / 1000);
      log?.debug('request', {
        requestId: id,
        method: request.method,
        path,
        status,
        milliseconds,
        client: request.ip,
        // The end of a response is in no span by itself.
        ...span?.ids,
      });
    });
    next();
  };
}
