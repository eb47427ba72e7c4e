import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type Balancer, hasNginx, startBalancer } from './start-balancer.ts';

const problem = JSON.stringify({ type: '/problems/unavailable', status: 503, code: 'unavailable' });

/** A replica that answers 503 to everything but `/healthz`, as one whose database cannot be reached, or 200. */
async function replica(status: 200 | 503): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url === '/healthz' || status === 200) response.end('{}');
    else
      response
        .writeHead(503, { 'Content-Type': 'application/problem+json', 'Retry-After': '1' })
        .end(problem);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const hostOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

(hasNginx ? describe : describe.skip)('the load balancer of docker/compose (skipped without nginx)', () => {
  const servers: Server[] = [];
  let balancer: Balancer | undefined;
  let stalled: ChildProcess | undefined;
  const sockets: Socket[] = [];

  afterEach(async () => {
    await balancer?.stop();
    for (const socket of sockets.splice(0)) socket.destroy();
    stalled?.kill('SIGKILL');
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  it('hands on every 503 of the API as it is, and takes no replica out for it', async () => {
    servers.push(await replica(503), await replica(503));
    balancer = await startBalancer(servers.map(hostOf));
    for (let request = 0; request < 20; request += 1) {
      const answer = await fetch(`${balancer.url}/api/v1/resources`);
      expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([
        503,
        '1',
        problem,
      ]);
    }
    expect((await fetch(`${balancer.url}/healthz`)).status).toBe(200);
  });

  it('asks the other replica when the address of one accepts no connection, as that of a stopped container', async () => {
    servers.push(await replica(200));
    balancer = await startBalancer([hostOf(servers[0] as Server), await silentAddress()]);
    for (let request = 0; request < 6; request += 1) {
      expect((await fetch(`${balancer.url}/api/v1/resources`)).status).toBe(200);
    }
  }, 60_000);

  /** An address that no connection is made to any more: the queue of a listener that is stopped is full. */
  async function silentAddress(): Promise<string> {
    const text = `require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
      process.stdout.write(String(this.address().port)); process.kill(process.pid, 'SIGSTOP'); })`;
    stalled = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = await once(stalled.stdout as NonNullable<ChildProcess['stdout']>, 'data');
    for (let connection = 0; connection < 4; connection += 1) {
      sockets.push(connect(Number(port), '127.0.0.1').on('error', () => {}));
    }
    await Promise.all(sockets.slice(0, 2).map((socket) => once(socket, 'connect')));
    return `127.0.0.1:${port}`;
  }
});
