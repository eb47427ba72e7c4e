import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the database that counts the round trips of its clients. */
export class RoundTrips {
  count = 0;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  /** Starts to serve, and returns the URL to connect to instead of the given one. */
  async through(target: string): Promise<string> {
    const { hostname, port } = new URL(target);
    this.#server = createServer((client) => {
      const server = connect(Number(port), hostname);
      const answers = new Answers(() => {
        this.count += 1;
      });
      client.pipe(server).pipe(client);
      server.on('data', (chunk) => answers.read(chunk));
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          client.destroy();
          server.destroy();
        });
      }
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const url = new URL(target);
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** The round trips of an action. Other work of the pool, such as a probe, may be among them: the least of several tries has none. */
  async least(action: () => Promise<unknown>, tries = 4): Promise<number> {
    const counts: number[] = [];
    for (let n = 0; n < tries; n += 1) {
      const before = this.count;
      await action();
      counts.push(this.count - before);
    }
    return Math.min(...counts);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server?.close();
  }
}

/** Finds the messages ReadyForQuery: a server sends one at the end of each round trip (PostgreSQL documentation, section 54.7). */
class Answers {
  readonly #onReady: () => void;
  #rest = Buffer.alloc(0);

  constructor(onReady: () => void) {
    this.#onReady = onReady;
  }

  read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      // A type of one byte, and a length that counts itself.
      const length = this.#rest.length < 5 ? Number.POSITIVE_INFINITY : 1 + this.#rest.readUInt32BE(1);
      if (this.#rest.length < length) return;
      if (this.#rest[0] === 'Z'.charCodeAt(0)) this.#onReady();
      this.#rest = this.#rest.subarray(length);
    }
  }
}
