import cors from 'cors';
import type { RequestHandler } from 'express';

const paths = /^\/(?:api\/v1\/|openapi\.json$|problems(?:\/|$))/;

/**
 * Lets programs in pages of other origins call the API with a bearer token (Fetch standard, section 3.2). Cookies never count for them:
 * without `Access-Control-Allow-Credentials`, browsers neither send those of a session nor show an answer to it.
 *
 * The OAuth proxy has rules of its own, for the origins of the projects.
 */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  const handle = cors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'ETag',
      'Location',
      'Retry-After',
      'WWW-Authenticate',
      'X-Request-Id',
      'X-Cursor',
      'X-Dry-Run',
    ],
    maxAge: 600,
  });
  return (request, response, next) => {
    // Only a preflight is answered here: to another OPTIONS the API says which methods a path has.
    const asksNothing = request.method === 'OPTIONS' && !request.headers['access-control-request-method'];
    if (paths.test(request.path) && !asksNothing) handle(request, response, next);
    else next();
  };
}
