import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const accepted = 'HTTP/1.1 200';
const changed = '"type":"MODIFIED"';

/** How many streams are opened at a time: more would overflow the queue of the listening socket. */
const opening = 100;
/** A stream that is not accepted within this time fails the run. */
const acceptTimeoutMs = 30_000;

/** Streams of changes, each on a connection of its own. Written on sockets, because the client must cost less than the server. */
export class Watchers {
  readonly #sockets: Socket[] = [];
  #received = 0;
  #notify: () => void = () => undefined;

  /** Opens further streams of the path, which begins with the server's origin. */
  async open(url: string, headers: Readonly<Record<string, string>>, count: number): Promise<void> {
    for (let left = count; left > 0; left -= opening) {
      await Promise.all(Array.from({ length: Math.min(left, opening) }, () => this.#openOne(url, headers)));
    }
  }

  /** Resolves when this many changes have arrived since the last call of `reset`, on all streams together; false after the time limit. */
  async received(count: number, timeoutMs: number): Promise<boolean> {
    const limit = AbortSignal.timeout(timeoutMs);
    while (this.#received < count && !limit.aborted) {
      await new Promise<void>((resolve) => {
        this.#notify = () => this.#received >= count && resolve();
        limit.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    return this.#received >= count;
  }

  /** Forgets what has arrived so far. */
  reset(): void {
    this.#received = 0;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #openOne(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const { hostname, port, pathname, search, host } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    this.#sockets.push(socket);
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`);
    const [head] = (await once(socket, 'data', { signal: AbortSignal.timeout(acceptTimeoutMs) })) as [Buffer];
    if (!head.toString('latin1').startsWith(accepted)) throw new Error(`a watch was refused: ${head}`);
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.includes(changed)) return;
      this.#received += 1;
      this.#notify();
    });
  }
}
