import type { Server } from 'node:http';
import { type Clock, type Logger, systemClock } from '@platform/kernel';

const intervalMs = 60_000;

/** Logs connections that are closed because `server.max_connections` are open: the first one at once, later ones once a minute with their number. */
export function reportDroppedConnections(
  server: Pick<Server, 'on'>,
  log: Logger,
  clock: Clock = systemClock,
): void {
  let closed = 0;
  let reportAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    closed += 1;
    if (clock.now() < reportAt) return;
    log.warn('connections are closed at once, because server.max_connections are open', { closed });
    closed = 0;
    reportAt = clock.now() + intervalMs;
  });
}
