import type { Metrics } from '../http/metrics.ts';
import { healthz } from './operations/healthz.ts';
import { metricsRoute } from './operations/metrics.ts';
import { type Readiness, readyz } from './operations/readyz.ts';
import type { Route, RouteFamily } from './route.ts';

/** What the endpoints are made of. */
export interface RouteParts {
  readonly readiness: Readiness;
  readonly metrics: Metrics;
}

/** Endpoints that answer also while the service cannot serve. */
export function operationsRoutes(parts: RouteParts): readonly Route[] {
  return [
    healthz(), //
    readyz(parts.readiness),
    metricsRoute(parts.metrics),
  ];
}

/** Every family of endpoints; the busiest first, since express asks them in order. */
export function families(_parts: RouteParts): readonly RouteFamily[] {
  return [];
}

/** Every other endpoint: a line here and a file `routes/<area>/<verb>.ts`. */
export function routes(_parts: RouteParts): readonly Route[] {
  return [];
}
