import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { closeIdleConnections } from './connections.ts';

const closeIdleEveryMs = 50;

/**
 * Stops a server without cutting anyone off: no new connections, requests that run are finished, idle keep-alive
 * connections are closed; requests that still run after `graceMs` are cut.
 */
export async function stopServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  // Each connection ends with its next request.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  // Not `server.close()`: see connections.ts.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  closeIdleConnections(server);
  const timer = setInterval(() => closeIdleConnections(server), closeIdleEveryMs);
  const grace = new AbortController();
  const overdue = delay(graceMs, undefined, { signal: grace.signal }).then(
    () => server.closeAllConnections(),
    () => undefined,
  );
  await closed;
  clearInterval(timer);
  grace.abort();
  await overdue;
}
