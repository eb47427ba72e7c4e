import express, { type Express } from 'express';
import { createGate } from './http/gate.ts';
import { type AppParts, buildPipeline } from './pipeline.ts';

/** The application: every endpoint with everything around it, without a server. */
export function createApp(parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  // Paths are compared as they are written: /API/V1 is not /api/v1.
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('trust proxy', [...parts.trustedProxies]);
  buildPipeline(app, parts, createGate(parts.authenticator, parts.cookie));
  return app;
}
