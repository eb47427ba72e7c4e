import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net';
import { generate } from 'selfsigned';
import {
  type ConnectionRequest,
  type Connector,
  createSystemConnector,
  type Resolver,
} from '../src/index.ts';

/** Creates a self-signed certificate for `hostname`. */
export async function certificateFor(
  hostname: string,
): Promise<{ readonly cert: string; readonly key: string }> {
  const pems = await generate([{ name: 'commonName', value: hostname }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: hostname }] }],
  });
  return { cert: pems.cert, key: pems.private };
}

/** A server on loopback. */
export interface LoopbackServer {
  readonly port: number;
  /** The number of accepted connections. */
  connections(): number;
  close(): Promise<void>;
}

/** An HTTP server on a free port of loopback, with TLS when given a certificate. */
export function serve(
  handler: RequestListener,
  tls?: { readonly cert: string; readonly key: string },
): Promise<LoopbackServer> {
  return listen(tls === undefined ? createServer(handler) : createSecureServer(tls, handler));
}

/** A server that returns the bytes that the handler writes. */
export function serveBytes(handler: (socket: Socket) => void): Promise<LoopbackServer> {
  return listen(createRawServer(handler));
}

async function listen(server: Server): Promise<LoopbackServer> {
  const open = new Set<Socket>();
  let seen = 0;
  server.on('connection', (socket: Socket) => {
    seen += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => seen,
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A resolver that knows only these names, and records its queries. */
export function fakeResolver(
  names: Readonly<Record<string, readonly string[][]>>,
): Resolver & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async resolve(hostname) {
      const answers = names[hostname];
      if (answers === undefined) throw new Error('no such name');
      const turn = asked.filter((name) => name === hostname).length;
      asked.push(hostname);
      return answers[Math.min(turn, answers.length - 1)] ?? [];
    },
  };
}

/** A connector that records its requests and connects to the port on loopback instead. */
export function loopbackConnector(port: number, ca?: string): Connector & { plans: ConnectionRequest[] } {
  const system = createSystemConnector(ca);
  const plans: ConnectionRequest[] = [];
  return {
    plans,
    connect(plan) {
      plans.push(plan);
      return system.connect({ ...plan, address: '127.0.0.1', port });
    },
  };
}

/** A connector for tests that must not connect. */
export const noConnector: Connector = {
  connect: () => Promise.reject(new Error('the test must not connect')),
};
