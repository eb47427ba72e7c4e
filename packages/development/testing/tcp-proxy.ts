import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of PostgreSQL that can go away, come back, fall silent, and lose answers. */
export interface TcpProxy {
  readonly url: string;
  /** Where new connections lead from now on. */
  target: URL;
  start(): Promise<void>;
  /** Cuts every connection, and accepts none. */
  stop(): Promise<void>;
  /** Ends every connection as a server does that stops. Resolves when the clients have closed their ends. */
  end(): Promise<void>;
  /** Silences the connections that are open at this moment. */
  hold(): void;
  /** Silences open connections and new ones, which are accepted. */
  freeze(): void;
  release(): void;
  /** From now on, cuts a connection in place of its next answer, which the server did send. */
  loseAnswers(lose: boolean): void;
}

export async function startProxy(first: URL): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let server: Server;
  let port = 0;
  let frozen = false;
  let losing = false;
  let target = first;
  const start = async () => {
    server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname);
      clients.add(client.on('close', () => clients.delete(client)));
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(from);
        from.on('data', (chunk) => {
          if (losing && from === upstream) client.destroy();
          else to.write(chunk);
        });
        from.on('error', () => {});
        from.on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
        if (frozen) from.pause();
      }
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as { port: number }).port;
  };
  await start();
  const url = new URL(first);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const hold = () => sockets.forEach((socket) => void socket.pause());
  return {
    url: url.href,
    get target() {
      return target;
    },
    set target(next) {
      target = next;
    },
    start,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async end() {
      await Promise.all(
        [...clients].map((client) => {
          const closed = once(client, 'close');
          client.end();
          return closed;
        }),
      );
    },
    hold,
    freeze() {
      frozen = true;
      hold();
    },
    release() {
      frozen = false;
      sockets.forEach((socket) => void socket.resume());
    },
    loseAnswers(lose) {
      losing = lose;
    },
  };
}
