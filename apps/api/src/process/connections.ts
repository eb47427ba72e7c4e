import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const open = new WeakMap<Server, Set<Socket>>();

/** Tracks the open connections of a server. */
export function trackConnections(
  server: Server,
  event: 'connection' | 'secureConnection' = 'connection',
): void {
  const sockets = new Set<Socket>();
  open.set(server, sockets);
  // One function for all of them: 10,000 streams would keep a closure each.
  function forget(this: Socket): void {
    sockets.delete(this);
  }
  server.on(event, (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', forget);
  });
}

/**
 * Closes the connections on which no answer is being sent. Node's own `closeIdleConnections`, and with it `close`, counts an answer as
 * sent when its last part was handed over: the part that a slow client has not read yet would be lost.
 */
export function closeIdleConnections(server: Server): void {
  for (const socket of open.get(server) ?? []) {
    // Node sets this for as long as an answer is not sent to its end.
    const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null };
    if (answer == null) socket.destroy();
  }
}
