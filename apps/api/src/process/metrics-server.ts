import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { listenOn } from '@platform/service-runtime';
import type { Metrics } from '../http/metrics.ts';

/** An address to listen on. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** A listener of its own for `/metrics` (`server.metrics_listen`). */
export interface MetricsServer {
  /** The address, once it listens; null without `server.metrics_listen`. */
  listen(): Promise<Listen | null>;
  close(): Promise<void>;
}

/**
 * Serves `/metrics` where `listen` says, and nothing else. Attack: a scrape costs milliseconds of the event loop, so anonymous clients
 * who can ask for it slow everybody down.
 */
export function createMetricsServer(
  listen: Listen | null,
  metrics: Pick<Metrics, 'render' | 'contentType'>,
): MetricsServer {
  if (listen === null) return { listen: async () => null, close: async () => undefined };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    request.resume();
    response.setHeader('X-Request-Id', randomUUID());
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    // A scrape may have parameters.
    const [path] = request.url?.split('?', 1) ?? [];
    const isScrape = path === '/metrics' && (request.method === 'GET' || request.method === 'HEAD');
    if (!isScrape) {
      response.statusCode = 404;
      response.end();
      return;
    }
    metrics.render().then(
      (text) => response.setHeader('Content-Type', metrics.contentType).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return {
    async listen() {
      await listenOn(server, listen, 'server.metrics_listen');
      return addressOf(server);
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function addressOf(server: Server): Listen {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('unreachable: the server listens on TCP');
  return { host: address.address, port: address.port };
}
