import type { Logger } from '@platform/kernel';
import type { Authenticator } from '@platform/tokens';
import type { Express } from 'express';
import { admission } from './http/admission.ts';
import type { Gate } from './http/gate.ts';
import { identify, transportSecurity } from './http/identify.ts';
import { observe } from './http/observe.ts';
import { refuse } from './http/refuse.ts';
import { type RequestTracing, trace } from './http/trace.ts';
import { unknownEndpoint } from './http/unknown-endpoint.ts';
import { documentationRoutes, families, operationsRoutes, type RouteParts, routes } from './routes/index.ts';
import { mountFamilies, mountRoutes } from './routes/mount.ts';

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

/** The way of a request through the application, from top to bottom. Every endpoint asks the gate first and reads the body last. */
export function buildPipeline(app: Express, parts: AppParts, gate: Gate): void {
  const steps = {
    transportSecurity: () => app.use(transportSecurity(parts.auth.publicUrl)),
    identify: () => app.use(identify),
    observe: () => app.use(observe(parts.metrics, parts.accessLog)),
    operations: () => mountRoutes(app, operationsRoutes(parts), gate),
    trace: () => parts.tracing !== null && app.use(trace(parts.tracing)),
    admission: () => app.use(admission(parts.isOpen)),
    families: () => mountFamilies(app, families(parts), gate),
    routes: () => mountRoutes(app, routes(parts), gate),
    documentation: () => mountRoutes(app, documentationRoutes(parts, gate), gate),
    unknown: () => app.use(unknownEndpoint),
    refuse: () => app.use(refuse(parts.log)),
  };
  for (const mount of Object.values(steps)) mount();
}
