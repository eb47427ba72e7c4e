import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@platform/kernel';
import {
  ListenError,
  listenOn,
  onStopRequest,
  releaseMemory,
  releaseMemoryAfterLoad,
  startFailure,
} from '@platform/service-runtime';
import type { Express } from 'express';
import { reportDroppedConnections } from './dropped-connections.ts';
import type { MetricsServer } from './metrics-server.ts';
import type { ServiceState } from './readiness.ts';
import { createApiServer, type ServerCertificate, type ServerLimits } from './server.ts';
import { startUp } from './start-up.ts';
import { stopServer } from './stop.ts';

/** A second listener, with TLS. */
export interface TlsListener extends ServerCertificate {
  readonly address: { readonly host: string; readonly port: number };
  /** Whether the service serves without it when the address is taken, as with the development settings. */
  readonly isOptional: boolean;
}

/** One wired API process. */
export interface Service {
  readonly app: Express;
  readonly state: ServiceState;
  readonly log: Logger;
  /** Serves `/metrics` apart from everything else, or nothing. */
  readonly metrics: MetricsServer;
  readonly address: { readonly host: string; readonly port: number };
  /** The limits of each listener of the API. */
  readonly limits: ServerLimits;
  /** Where the API is served with TLS as well; null for nowhere. */
  readonly tls: TlsListener | null;
  /** Migrates and bootstraps. */
  prepare(): Promise<void>;
  /** Closes the pool and whatever else is open. */
  close(): Promise<void>;
}

/** Requests that still run this long after a stop was requested are cut. */
const graceMs = 15_000;

/** Runs the service until it is asked to stop. Resolves with the exit code of the process. */
export async function run(service: Service): Promise<number> {
  const { app, limits, tls: listener } = service;
  const server = createApiServer(app, limits);
  const tls = listener === null ? null : { listener, server: createApiServer(app, limits, listener) };
  const servers = [server, ...(tls === null ? [] : [tls.server])];
  for (const one of servers) reportDroppedConnections(one, service.log);
  const stopping = new AbortController();
  onStopRequest((reason) => {
    service.log.info('stopping', { reason });
    service.state.stopping();
    stopping.abort();
  });
  const exitCode = await serveUntil(stopping.signal, service, server, tls);
  await Promise.all(servers.map((one) => stopServer(one, graceMs)));
  await service.metrics.close();
  await service.close();
  return exitCode;
}

/** The second listener with its server. */
interface TlsServer {
  readonly listener: TlsListener;
  readonly server: Server;
}

async function serveUntil(
  stopping: AbortSignal,
  service: Service,
  server: Server,
  tls: TlsServer | null,
): Promise<number> {
  const { state, log, address } = service;
  try {
    await startUp(
      {
        async prepare() {
          await service.prepare();
          stopping.throwIfAborted();
          state.prepared();
        },
        async listen() {
          await listenOn(server, address, 'server.listen');
          const { address: host, port } = server.address() as AddressInfo;
          log.info('listening', { address: host, port });
          if (tls !== null) await listenWithTls(tls, log);
          const metrics = await service.metrics.listen();
          if (metrics !== null) log.info('metrics listening', { address: metrics.host, port: metrics.port });
        },
        wait: (milliseconds) => delay(milliseconds, undefined, { signal: stopping }),
      },
      log,
    );
    await releaseMemory();
    if (stopping.aborted) return 0;
    releaseMemoryAfterLoad(stopping);
    announce(log, server.address() as AddressInfo);
    await once(stopping, 'abort');
    return 0;
  } catch (error) {
    if (stopping.aborted) return 0;
    log.error('the service could not start', startFailure(error));
    return 1;
  }
}

async function listenWithTls({ listener, server }: TlsServer, log: Logger): Promise<void> {
  const { host, port } = listener.address;
  try {
    await listenOn(server, listener.address, 'server.tls_listen');
    log.info('listening with TLS', { address: host, port });
  } catch (error) {
    if (!listener.isOptional || !(error instanceof ListenError)) throw error;
    log.warn('not listening with TLS', { reason: error.message });
  }
}

/** Tells the log, and the launcher if there is one, that requests are served. */
function announce(log: Logger, { address, port }: AddressInfo): void {
  log.info('ready', { address, port });
  process.send?.({ type: 'ready', address, port });
}
