import { isIPv4 } from 'node:net';
import express, { type Express } from 'express';
import type { AppDeps } from './deps.ts';
import { createAuthorize } from './http/authorize.ts';
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

/** The ranges of `server.trusted_proxies` as Express takes them: it refuses a prefix of 0, so those are given as two halves. */
export function trustRanges(cidrs: readonly string[]): string[] {
  return cidrs.flatMap((cidr) => {
    if (!cidr.endsWith('/0')) return [cidr];
    return isIPv4(cidr.slice(0, -2)) ? ['0.0.0.0/1', '128.0.0.0/1'] : ['::/1', '8000::/1'];
  });
}
