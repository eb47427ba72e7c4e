import { Problem } from '@platform/kernel';
import type { RequestHandler } from 'express';

/** The end of the line: nothing took the request. */
export const unknownEndpoint: RequestHandler = () => {
  throw new Problem('unknown_endpoint', 'There is no endpoint at this path.');
};
