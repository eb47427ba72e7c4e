import type { CookiePolicy } from '../http/credential.ts';
import type { Gate } from '../http/gate.ts';
import type { Metrics } from '../http/metrics.ts';
import { type AuthParts, authRoutes } from './auth/index.ts';
import { oauthRoutes } from './oauth/index.ts';
import type { OAuthParts } from './oauth/proxy-route.ts';
import { docsRoutes } from './operations/docs.ts';
import { healthz } from './operations/healthz.ts';
import { metricsRoute } from './operations/metrics.ts';
import { openApiRoute } from './operations/openapi.ts';
import { type Readiness, readyz } from './operations/readyz.ts';
import { type ResourceParts, resourceFamily } from './resources/index.ts';
import type { Route, RouteFamily } from './route.ts';

/** What the endpoints are made of: a member for each area. */
export interface RouteParts {
  /** The version of the platform. */
  readonly version: string;
  readonly cookie: CookiePolicy;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  /** Whether `/metrics` is an endpoint here; otherwise it has a listener of its own. */
  readonly servesMetrics: boolean;
  readonly resources: ResourceParts;
  readonly auth: AuthParts;
  /** Absent where there are no extensions, as in a process without a database. */
  readonly oauth?: OAuthParts;
  /** What proxies in front of projects ask; absent in a process without a database. */
  readonly ingress?: readonly RouteFamily[];
  /** The endpoints of further areas, e.g. `projectsRoutes(...)`. */
  readonly areas: readonly Route[];
}

/** Endpoints that answer also while the service cannot serve. */
export function operationsRoutes(parts: RouteParts): readonly Route[] {
  const metrics = parts.servesMetrics ? [metricsRoute(parts.metrics)] : [];
  return [healthz(), readyz(parts.readiness), ...metrics];
}

/** Families of endpoints; the busiest first, since express asks them in order. */
export function families(parts: RouteParts): readonly RouteFamily[] {
  return [resourceFamily(parts.resources), ...(parts.ingress ?? [])];
}

/** Every other endpoint: a file `routes/<area>/<verb>.ts` and a line here. */
export function routes(parts: RouteParts): readonly Route[] {
  const oauth = parts.oauth === undefined ? [] : oauthRoutes(parts.oauth);
  return [...authRoutes(parts.auth), ...oauth, ...parts.areas];
}

/** What the API says of itself; it asks the gate on its own, since more is shown to operators. */
export function documentationRoutes(parts: RouteParts, gate: Gate): readonly Route[] {
  const { version, cookie, auth, resources } = parts;
  const settings = { publicUrl: auth.publicUrl, version, sessionCookie: cookie.name };
  return [openApiRoute({ ...settings, ports: resources.ports, gate }), ...docsRoutes()];
}
