import type { AuditTrail } from '@platform/access';
import type { Logger } from '@platform/kernel';
import type { Authenticator } from '@platform/tokens';
import type { BoundEndpoint } from './endpoint/descriptor.ts';
import type { EndpointFamily } from './endpoint/family.ts';
import type { CookiePolicy } from './http/authorize.ts';
import type { Metrics } from './http/metrics.ts';
import type { RequestTracing } from './http/trace.ts';
import type { AuthDeps } from './routes/auth/index.ts';
import type { KubernetesCluster } from './routes/kubernetes/kubeconfig.ts';
import type { OAuthDeps } from './routes/oauth/proxy-endpoint.ts';
import type { Readiness } from './routes/operations/probes.ts';
import type { ResourceDeps } from './routes/resources/index.ts';

/** The dependencies of the application. None of them is an adapter: `wire.ts` passes adapters behind their ports. */
export interface AppDeps {
  /** The version of the platform. */
  readonly version: string;
  readonly cookie: CookiePolicy;
  readonly authenticator: Authenticator;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  /** Whether `/metrics` is an endpoint here; otherwise it has a listener of its own. */
  readonly servesMetrics: boolean;
  readonly resources: ResourceDeps;
  /** How clients of Kubernetes reach the API; null where it is not served. */
  readonly kubernetes?: KubernetesCluster | null;
  readonly auth: AuthDeps;
  /** Absent where there are no extensions, as in a process without a database. */
  readonly oauth?: OAuthDeps;
  /** The endpoints for proxies in front of projects; absent in a process without a database. */
  readonly ingress?: readonly EndpointFamily[];
  /** The endpoints of further areas, with what they need. */
  readonly areas: readonly BoundEndpoint[];
  /** Takes audit records; absent in a process without a database. */
  readonly audit?: AuditTrail | null;
  readonly log: Logger;
  /** Gets a line for each request; null when the log level leaves them out. */
  readonly accessLog: Logger | null;
  /** Where requests are traced; null when they are not. */
  readonly tracing: RequestTracing | null;
  /** Whether the database is migrated and bootstrapped. */
  readonly isOpen: () => boolean;
  /** Aborts when the process is asked to stop. */
  readonly stopping?: AbortSignal;
  /** `server.trusted_proxies`. */
  readonly trustedProxies: readonly string[];
  /** `server.cors_origins`. */
  readonly corsOrigins: readonly string[];
}
