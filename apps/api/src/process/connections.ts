import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server. */
interface Connections {
  /** The connections on which requests come. */
  readonly open: Set<Socket>;
  /** The connections whose TLS handshake is not complete, by the address of the client. */
  readonly handshakes: Map<string, Socket>;
}

const tracked = new WeakMap<Server, Connections>();

/**
 * Tracks the connections of a server, with TLS or without, and closes those above `atMost` at once, with the event `drop`. With the
 * `maxConnections` of Node.js, several workers that are full hand a connection to each other without end.
 */
export function trackConnections(
  server: Server,
  isTls: boolean,
  atMost: number = Number.POSITIVE_INFINITY,
): void {
  const open = new Set<Socket>();
  const handshakes = new Map<string, Socket>();
  tracked.set(server, { open, handshakes });
  // One function for all of them: 10,000 streams would keep a closure each.
  function forget(this: Socket): void {
    open.delete(this);
  }
  function forgetHandshake(this: Socket): void {
    const place = placeOf(this);
    if (handshakes.get(place) === this) handshakes.delete(place);
  }
  server.on('connection', (socket: Socket) => {
    if (open.size + handshakes.size < atMost) return;
    socket.destroy();
    server.emit('drop');
  });
  if (isTls) {
    server.on('connection', (socket: Socket) => {
      if (socket.destroyed) return;
      handshakes.set(placeOf(socket), socket);
      socket.on('close', forgetHandshake);
    });
  }
  // The answer is being sent on the socket inside of TLS, not on the connection around it.
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (socket.destroyed) return;
    handshakes.delete(placeOf(socket));
    open.add(socket);
    socket.on('close', forget);
  });
}

/**
 * Closes the connections on which no answer is being sent. Node's own `closeIdleConnections`, and with it `close`, counts an answer as
 * sent when its last part was handed over: the part that a slow client has not read yet would be lost. And it does not know a connection
 * before the end of its TLS handshake, for which a server that stops would wait for minutes.
 */
export function closeIdleConnections(server: Server): void {
  const { open, handshakes } = tracked.get(server) ?? { open: [], handshakes: new Map<string, Socket>() };
  for (const socket of handshakes.values()) socket.destroy();
  for (const socket of open) {
    // Node sets this for as long as an answer is not sent to its end.
    const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null };
    if (answer == null) socket.destroy();
  }
}

function placeOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
