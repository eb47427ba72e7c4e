import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { until } from '@platform/development/testing';
import { listen } from './listener.ts';

/** A server that accepts connections and says nothing. */
let silent: Server;
const accepted = new Set<Socket>();
beforeAll(async () => {
  silent = createServer((socket) => {
    accepted.add(socket);
    socket.resume().on('error', () => {});
    socket.on('close', () => accepted.delete(socket));
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const socket of accepted) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

it('a listener that is closed while it connects waits for no answer, and listens to nothing', async () => {
  const { port } = silent.address() as AddressInfo;
  const heard: string[] = [];
  const listening = listen(
    { url: `postgres://nobody@127.0.0.1:${port}/none`, connectTimeoutMs: 1_000_000 },
    {
      name: 'channel',
      purpose: 'a test',
      notified: (payload) => heard.push(payload),
      begun: () => heard.push('begun'),
    },
  );
  await until(() => accepted.size === 1);
  await listening.close();
  expect(heard).toEqual([]);
});
