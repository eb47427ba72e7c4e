import { once } from 'node:events';
import { createServer, type Server as TcpServer } from 'node:net';
import { Connection, type ConnectionSettings } from './connection.ts';
import { dial, parseAddress } from './servers.ts';

/** A server that resets connections, as one that is being killed does. */
let server: TcpServer;
let at: { host: string; port: number };
beforeAll(async () => {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  at = { host: '127.0.0.1', port: (server.address() as { port: number }).port };
});
afterAll(() => server.close());

describe('a connection that the server resets', () => {
  it('does not end the process, although nobody listens to it yet', async () => {
    const [[accepted], socket] = await Promise.all([once(server, 'connection'), dial(at, 5_000)]);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    accepted.resetAndDestroy();
    await closed;
    expect(socket.destroyed).toBe(true);
  });

  it('is refused without waiting for the limit', async () => {
    server.on('connection', (socket) => socket.resetAndDestroy());
    const settings: ConnectionSettings = {
      address: parseAddress(`postgres://postgres@${at.host}:${at.port}/postgres`),
      prepare: true,
      connectTimeoutMs: 60_000,
      session: {},
      onNotice: () => {},
    };
    await expect(Connection.open(settings, at, 60_000)).rejects.toThrow();
  });
});
