import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Request and response classes whose instances already have the prototypes that express gives them.
 *
 * express calls `Object.setPrototypeOf` on both for each request, which throws away what V8 has learnt of their
 * shapes. On an object that has the prototype already it does nothing. Measured with small JSON answers on one
 * core, Node.js 20: see docs/decisions/, "express with final prototypes".
 */
export function finalPrototypes(
  app: Express,
): Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>> {
  class PlatformRequest extends IncomingMessage {}
  class PlatformResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(PlatformRequest.prototype, app.request);
  Object.setPrototypeOf(PlatformResponse.prototype, app.response);
  Object.assign(app, { request: PlatformRequest.prototype, response: PlatformResponse.prototype });
  return { IncomingMessage: PlatformRequest, ServerResponse: PlatformResponse };
}
