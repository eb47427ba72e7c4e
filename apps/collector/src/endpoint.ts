import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenOn } from '@platform/service-runtime';

/** The answer of `/metrics`. */
export interface MetricsText {
  readonly contentType: string;
  render(): Promise<string>;
}

/** A listener for probes and scrapes. */
export interface Endpoint {
  readonly address: { readonly address: string; readonly port: number };
  close(): Promise<void>;
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics` where `collector.listen` says, and nothing else; null when it says nothing.
 * `obstacle` must say why the collector is not ready, or null when it is.
 */
export async function openEndpoint(
  parts: {
    readonly listen: { readonly host: string; readonly port: number } | null;
    readonly metrics: MetricsText;
  },
  obstacle: () => Promise<string | null>,
): Promise<Endpoint | null> {
  const { listen, metrics } = parts;
  if (listen === null) return null;
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    request.resume();
    respond(request, response, metrics, obstacle).catch(() => answer(response, 500, 'something went wrong'));
  });
  await listenOn(server, listen, 'collector.listen');
  const { address, port } = server.address() as AddressInfo;
  return {
    address: { address, port },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function respond(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  metrics: MetricsText,
  obstacle: () => Promise<string | null>,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return answer(response, 405, 'method not allowed');
  }
  // A probe or a scrape may have parameters.
  switch (url?.split('?', 1)[0]) {
    case '/healthz':
      return answer(response, 200, 'ok');
    case '/readyz': {
      const reason = await obstacle();
      return answer(response, reason === null ? 200 : 503, reason ?? 'ready');
    }
    case '/metrics':
      return answer(response, 200, await metrics.render(), metrics.contentType);
    default:
      return answer(response, 404, 'not found');
  }
}

function answer(response: ServerResponse, status: number, text: string, contentType = 'text/plain'): void {
  response.statusCode = status;
  response.setHeader('Content-Type', contentType);
  response.setHeader('X-Request-Id', randomUUID());
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  response.end(text.endsWith('\n') ? text : `${text}\n`);
}
