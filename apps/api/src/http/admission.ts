import { Problem } from '@platform/kernel';
import type { RequestHandler } from 'express';

/** Lets requests through once `isOpen` says so, else 503: the tables may not be there yet. */
export function admission(isOpen: () => boolean): RequestHandler {
  return (_request, _response, next) => {
    if (!isOpen()) throw new Problem('unavailable', 'The service is starting.');
    next();
  };
}
