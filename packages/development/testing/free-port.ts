import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

// Below the ports that systems hand out by themselves (from 32768 on Linux, 49152 on macOS): between our look and the
// listening of the program under test, neither a `listen(0)` nor an outgoing connection can take such a port.
const FIRST = 20_000;
const PAIRS = 5_000;

/**
 * A port of 127.0.0.1 for a program that has to be told one. No other caller gets it, in any process, before this
 * process ends: ports are reserved in pairs: the caller gets the even one, and this process listens on the odd one until it ends.
 * @param from where the search begins, from 0 to 1: in different places, so that callers seldom meet
 * @throws Error when all pairs are taken.
 */
export async function freePort(from = Math.random()): Promise<number> {
  const start = Math.floor(from * PAIRS);
  for (let step = 0; step < PAIRS; step += 1) {
    const port = FIRST + 2 * ((start + step) % PAIRS);
    const lock = await listening(port + 1);
    if (lock === null) continue;
    const probe = await listening(port);
    if (probe !== null) {
      await closed(probe);
      lock.unref();
      return port;
    }
    await closed(lock);
  }
  throw new Error(`no free port from ${FIRST} to ${FIRST + 2 * PAIRS - 1}`);
}

/** Null if the port is taken. */
async function listening(port: number): Promise<Server | null> {
  const server = createServer();
  try {
    server.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
    return server;
  } catch {
    return null;
  }
}

async function closed(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
