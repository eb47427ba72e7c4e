import type { RequestTracer } from '@platform/kernel';
import type { Request, RequestHandler, Response } from 'express';

/** The dependencies of tracing. */
export interface RequestTracing {
  readonly tracer: RequestTracer;
  /** Masks what looks like a credential. */
  mask(text: string): string;
}

// OpenTelemetry, semantic conventions for HTTP: others are `_OTHER`, since a client may make up any.
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT']);

/**
 * Puts the rest of the request into a span, which ends when its response is done or its client gone. Attack: a token in a query, a
 * header or a path shows to everybody who may look at traces. So the span has the path without its query, masked, and no header.
 */
export function trace({ tracer, mask }: RequestTracing): RequestHandler {
  return (request, response, next) => {
    const trusts = request.app.get('trust proxy fn') as (address: string, hops: number) => boolean;
    const span = tracer.request(request.headers, trusts(request.socket.remoteAddress ?? '', 0));
    request.context.span = span;
    const method = methods.has(request.method) ? request.method : '_OTHER';
    // Read now, because a stream drops its headers.
    const { protocol } = request;
    response.once('close', () => {
      const { path, route } = request.context;
      span.set({
        'http.request.method': method,
        'url.path': mask(path),
        'url.scheme': protocol,
        'network.protocol.version': request.httpVersion,
        ...(route === 'none' ? {} : { 'http.route': route }),
        ...(response.headersSent ? { 'http.response.status_code': response.statusCode } : {}),
      });
      const failure = failureOf(request, response);
      if (failure !== null) span.fail(failure);
      const name = method === '_OTHER' ? 'HTTP' : method;
      span.end(route === 'none' ? name : `${name} ${route}`);
    });
    span.run(next);
  };
}

/** A refusal is the fault of the client, not a failure of the service. */
function failureOf({ context }: Request, response: Response): string | null {
  if (!response.writableFinished) return 'client_gone';
  return response.statusCode >= 500 ? (context.problem ?? String(response.statusCode)) : null;
}
