import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { testDatabase, until } from '@platform/development/testing';
import postgres from 'postgres';
import { listen } from './listener.ts';

const database = testDatabase();

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

it('a listener outlives the idle_session_timeout of its role and database', async () => {
  const { sql, url } = database;
  const name = new URL(url).pathname.slice(1);
  await sql.unsafe(`alter database ${name} set idle_session_timeout = '200ms'`);
  const heard: string[] = [];
  const listening = listen(
    { url },
    {
      name: 'channel',
      purpose: 'a test',
      notified: (payload) => heard.push(payload),
      begun: () => heard.push('begun'),
    },
  );
  await until(() => heard.length === 1);
  // A session that began after the listener was quiet has ended: the listener would have, too.
  let isEnded = false;
  const other = postgres(url, { max: 1, onclose: () => (isEnded = true) });
  await other`select 1`;
  await until(() => isEnded);
  await sql`select pg_notify('channel', 'still here')`;
  await until(() => heard.length > 1);
  expect(heard).toEqual(['begun', 'still here']);
  await Promise.all([listening.close(), other.end()]);
  await sql.unsafe(`alter database ${name} reset idle_session_timeout`);
});
