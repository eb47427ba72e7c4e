import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

type MessageClasses = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

/** All servers of an application share them. */
const classes = new WeakMap<Express, MessageClasses>();

/**
 * Request and response classes whose instances already have the prototypes that express gives them.
 *
 * express calls `Object.setPrototypeOf` on both for each request, which throws away what V8 has learnt of their shapes. On an object that
 * has the prototype already it does nothing (docs/decisions/0004-express-with-final-prototypes.md).
 */
export function finalPrototypes(app: Express): MessageClasses {
  const known = classes.get(app);
  if (known !== undefined) return known;
  class PlatformRequest extends IncomingMessage {}
  class PlatformResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(PlatformRequest.prototype, app.request);
  Object.setPrototypeOf(PlatformResponse.prototype, app.response);
  Object.assign(app, { request: PlatformRequest.prototype, response: PlatformResponse.prototype });
  const made = { IncomingMessage: PlatformRequest, ServerResponse: PlatformResponse };
  classes.set(app, made);
  return made;
}
