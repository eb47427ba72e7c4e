import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** How the database connections are doing, at the moment of asking. */
export interface PoolStats {
  readonly max: number;
  readonly busy: number;
  readonly waiting: number;
}

/** What `/metrics` tells, and where requests are counted. */
export interface Metrics {
  /** `route` is a template and `status` 0 for a client that went away: labels must stay few whatever clients send. */
  observe(method: string, route: string, status: number, seconds: number): void;
  readonly contentType: string;
  readonly registry: Registry;
  /** The Prometheus text format. */
  render(): Promise<string>;
}

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Metrics of requests, of the process with its event loop, and of the connection pool when there is one. */
export function createMetrics(pool: (() => PoolStats) | null): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'platform_api_' });
  // One histogram for rate, latency and status: an observation costs 0.4 µs, and each further metric as much again.
  const requests = new Histogram({
    name: 'platform_api_http_request_duration_seconds',
    help: 'Requests by method, route template and status; status 0: the client went away first.',
    labelNames: ['method', 'route', 'status'],
    buckets: latencyBuckets,
    registers: [registry],
  });
  if (pool !== null) registerPool(registry, pool);
  return {
    observe: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    contentType: registry.contentType,
    registry,
    render: () => registry.metrics(),
  };
}

function registerPool(registry: Registry, pool: () => PoolStats): void {
  new Gauge({
    name: 'platform_api_database_connections',
    help: 'Database connections by state; waiting: statements that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { max, busy, waiting } = pool();
      this.set({ state: 'max' }, max);
      this.set({ state: 'busy' }, busy);
      this.set({ state: 'waiting' }, waiting);
    },
  });
}
