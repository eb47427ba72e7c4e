import type { Logger } from '@platform/kernel';
import type { Authenticator } from '@platform/tokens';
import express, { type Express } from 'express';
import { createGate } from './http/gate.ts';
import type { RequestTracing } from './http/trace.ts';
import { buildPipeline } from './pipeline.ts';
import type { RouteParts } from './routes/index.ts';

/** Everything the application is made of. No part of it is an adapter: `wire.ts` hands them in behind their ports. */
export interface AppParts extends RouteParts {
  readonly authenticator: Authenticator;
  readonly log: Logger;
  /** Gets a line for each request; null where nobody reads them. */
  readonly accessLog: Logger | null;
  /** Where requests are traced; null when they are not. */
  readonly tracing: RequestTracing | null;
  /** Whether the database is migrated and bootstrapped. */
  readonly isOpen: () => boolean;
  /** `server.trusted_proxies`. */
  readonly trustedProxies: readonly string[];
}

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
