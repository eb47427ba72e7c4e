import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The database connections at the time of a scrape. */
export interface PoolStats {
  readonly max: number;
  readonly busy: number;
  readonly waiting: number;
}

/** The number of open streams of changes, and of those that have not caught up with the log. */
export interface WatchCounts {
  readonly open: number;
  readonly behind: number;
}

/** The metrics of the API: records them and renders `/metrics`. */
export interface Metrics {
  /** Seconds of a request. `route` is a template and `status` 0 for a client that went away: labels must stay few whatever clients send. */
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  /** A token of the kind was signed. */
  issued(kind: string): void;
  /** A bearer or subject token, or the token in a session cookie, was refused. */
  refused(reason: string): void;
  /** A request to an issuer or provider ended; `outcome` is the class of its status, such as `2xx`, or why it failed. */
  upstream(method: string, outcome: string, seconds: number): void;
  /** Audit records could not be kept. */
  auditDropped(count: number): void;
  /** Counts the events of streams of changes, and times their delay. */
  readonly watch: {
    sent(events: number): void;
    delay(milliseconds: number): void;
    /** Sets where each scrape reads the numbers of open and lagging streams. */
    count(counts: () => WatchCounts): void;
  };
  readonly contentType: string;
  readonly registry: Registry;
  /** The Prometheus text format. */
  render(): Promise<string>;
}

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const upstreamBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Metrics of requests, of the process with its event loop, and of the connection pool when there is one. `workers` is the number of processes
 * that are to share the port.
 */
export function createMetrics(pool: (() => PoolStats) | null, version: string, workers = 1): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'platform_build_info',
    help: 'Always 1: the version that runs.',
    labelNames: ['service', 'version', 'node'],
    // Workers of one process have the same.
    aggregator: 'first',
    registers: [registry],
  }).set({ service: 'api', version, node: process.version }, 1);
  registerWorkers(registry, workers);
  // One histogram for rate, latency and status: each further metric would cost every request another observation.
  const requests = new Histogram({
    name: 'platform_api_http_request_duration_seconds',
    help: 'Requests by method, route template and status; status 0: the client went away first.',
    labelNames: ['method', 'route', 'status'],
    buckets: latencyBuckets,
    registers: [registry],
  });
  const issued = new Counter({
    name: 'platform_api_tokens_issued_total',
    help: 'Tokens signed, by kind.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const refused = new Counter({
    name: 'platform_api_tokens_refused_total',
    help: 'Bearer, cookie and subject tokens refused, by the reason that the caller is not told.',
    labelNames: ['reason'],
    registers: [registry],
  });
  // Not by origin: tenants choose those, and a label must have few values.
  const upstream = new Histogram({
    name: 'platform_api_upstream_request_duration_seconds',
    help: 'Requests to issuers and OAuth providers, by method and outcome.',
    labelNames: ['method', 'outcome'],
    buckets: upstreamBuckets,
    registers: [registry],
  });
  const dropped = new Counter({
    name: 'platform_api_audit_records_dropped_total',
    help: 'Audit records that were lost because too many waited for the database.',
    registers: [registry],
  });
  if (pool !== null) registerPool(registry, pool);
  const watch = registerWatch(registry);
  return {
    issued: (kind) => issued.inc({ kind }),
    refused: (reason) => refused.inc({ reason }),
    upstream: (method, outcome, seconds) => upstream.observe({ method, outcome }, seconds),
    auditDropped: (count) => dropped.inc(count),
    watch,
    requests,
    contentType: registry.contentType,
    registry,
    render: () => registry.metrics(),
  };
}

/** Every worker counts itself, so that the sum is the number of those that answered the scrape. */
function registerWorkers(registry: Registry, configured: number): void {
  new Gauge({
    name: 'platform_api_workers',
    help: 'API processes of this replica whose metrics are in this scrape.',
    registers: [registry],
  }).set(1);
  new Gauge({
    name: 'platform_api_workers_configured',
    help: 'API processes that this replica should have.',
    aggregator: 'max',
    registers: [registry],
  }).set(configured);
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

const delayBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30];

function registerWatch(registry: Registry): Metrics['watch'] {
  const sent = new Counter({
    name: 'platform_api_watch_events_sent_total',
    help: 'Events sent to watchers, without bookmarks.',
    registers: [registry],
  });
  const delay = new Histogram({
    name: 'platform_api_watch_delay_seconds',
    help: 'Time from a write until the log reader of this process offers it to the watchers.',
    buckets: delayBuckets,
    registers: [registry],
  });
  let counts = (): WatchCounts => ({ open: 0, behind: 0 });
  new Gauge({
    name: 'platform_api_watchers',
    help: 'Open watches by state; behind: those that read the log by themselves.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { open, behind } = counts();
      this.set({ state: 'current' }, open - behind);
      this.set({ state: 'behind' }, behind);
    },
  });
  return {
    sent: (events) => sent.inc(events),
    delay: (milliseconds) => delay.observe(milliseconds / 1_000),
    count: (of) => {
      counts = of;
    },
  };
}
