import express, { type Express } from 'express';
import type { AppDeps } from './deps.ts';
import { createAuthorize } from './http/authorize.ts';
import { trustRanges } from './http/trust-ranges.ts';
import { buildPipeline } from './pipeline.ts';

/** The application: every endpoint with everything around it, without a server. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  // Paths are compared as they are written: /API/V1 is not /api/v1.
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('trust proxy', trustRanges(deps.trustedProxies));
  buildPipeline(app, deps, createAuthorize(deps.authenticator, deps.cookie));
  return app;
}
