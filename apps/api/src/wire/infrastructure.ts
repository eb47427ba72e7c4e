import type { Config } from '@platform/config';
import { createIdentifiers, createSealer, nodeRandomBytes } from '@platform/crypto';
import { type Clock, type Outbound, type RandomBytes, type Sealer, systemClock } from '@platform/kernel';
import { createProviderDocuments, type ProviderDocuments } from '@platform/oidc-client';
import { createOutbound } from '@platform/outbound-http';
import type { Identifiers } from '@platform/resources';
import type { Logging, Tracing } from '@platform/service-runtime';
import { openStore, type Store } from '@platform/store-postgres';
import { type AbuseLimits, createAbuseLimits } from '../http/abuse-limits.ts';
import type { Metrics } from '../http/metrics.ts';
import { createRateLimiter } from '../process/rate-limiter.ts';
import { measureOutbound } from './measured.ts';
import { traceOutbound, traceStore } from './traced.ts';

/** The infrastructure that the areas share: one of each in a process. */
export interface Infrastructure {
  readonly metrics: Metrics;
  readonly config: Config;
  readonly logging: Logging;
  readonly store: Store;
  readonly outbound: Outbound;
  /** The metadata and keys of the identity provider and of issuers of controllers and service accounts, fetched once for all readers. */
  readonly documents: ProviderDocuments;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** The rate limits of endpoints that hand out or take credentials. */
  readonly limits: AbuseLimits;
  readonly identifiers: Identifiers;
  /** The URL of the database; the launcher or the configuration has set it. */
  readonly databaseUrl: string;
}

/** Opens the shared infrastructure; it opens no connection. */
export function openInfrastructure(
  config: Config,
  logging: Logging,
  metrics: Metrics,
  tracing: Tracing | null,
): Infrastructure {
  const { database, outbound, server } = config;
  if (database.url === undefined) throw new Error('database.url is not set');
  const store = openStore({
    url: database.url,
    poolMax: database.pool_max,
    readTimeoutMs: database.read_timeout_ms,
    writeTimeoutMs: database.write_timeout_ms,
    applicationName: 'platform-api',
    logger: logging.logger,
  });
  const guarded = createOutbound({
    allowInsecureOrigins: outbound.allow_insecure_origins,
    platformUrl: server.public_url,
    timeoutMs: outbound.timeout_ms,
  });
  const measured = measureOutbound(metrics, guarded);
  const observed = tracing === null ? measured : traceOutbound(tracing, measured);
  return {
    config,
    logging,
    databaseUrl: database.url,
    store: tracing === null ? store : traceStore(tracing, store),
    metrics,
    outbound: observed,
    documents: createProviderDocuments({ outbound: observed, clock: systemClock }),
    sealer: createSealer(config.encryption.keys),
    clock: systemClock,
    limits: createAbuseLimits(
      createRateLimiter({ clock: systemClock, perMinute: config.limits.oauth_requests_per_minute }),
      server.body_limit_bytes,
    ),
    random: nodeRandomBytes,
    identifiers: createIdentifiers(nodeRandomBytes, systemClock),
  };
}
