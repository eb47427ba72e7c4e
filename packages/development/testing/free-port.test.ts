import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from './index.ts';

async function listening(port: number) {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

// The only memory of what was handed out is the sockets of this process, so callers in one are as callers in several.
it('callers who search from the same place at the same time get ports of their own, and can listen there', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort(0.25)));
  expect(new Set(ports).size).toBe(20);
  const servers = await Promise.all(ports.map((port) => listening(port)));
  for (const server of servers) server.close();
});

it('a port stays its caller’s while nobody listens there', async () => {
  const port = await freePort(0.5);
  expect(await freePort(0.5)).toBeGreaterThan(port);
});

it('a port that somebody listens on is not handed out', async () => {
  const server = await listening((await freePort(0.75)) + 2);
  const { port } = server.address() as { port: number };
  expect(await freePort(0.75)).toBeGreaterThan(port);
  server.close();
});

it('ports lie below those that the system hands out by itself', async () => {
  expect(await freePort(0.9999)).toBeLessThan(32_768);
});
