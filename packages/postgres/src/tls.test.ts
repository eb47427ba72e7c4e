import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { developmentCertificates } from '@platform/development';
import { testPools } from '../test/pools.ts';
import { Connector, connectionSettings } from './index.ts';

const { database, open } = testPools();

/** How the server answers the request for TLS: it agrees, it has no TLS, or it puts plain text behind its agreement. */
let answer: 'S' | 'N' | 'S and more' = 'S';
let proxy: Server;
const clients = new Set<Socket>();
const directory = mkdtempSync(join(tmpdir(), 'database-tls-'));
const authority = join(directory, 'tls', 'ca.pem');

/** A server with TLS in front of the database, whose certificate is for `localhost` and the loopback addresses. */
beforeAll(async () => {
  const { certificate, privateKey } = await developmentCertificates(directory, Date.now());
  const target = new URL(database.url);
  const forward = (client: Socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream).pipe(client);
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    client.on('error', () => {}).on('close', () => upstream.destroy());
  };
  proxy = createServer((client) => {
    clients.add(client.on('error', () => {}));
    client.once('data', () => {
      client.write(answer === 'S and more' ? 'SX' : answer);
      forward(
        answer === 'N'
          ? client
          : new TLSSocket(client, { isServer: true, cert: certificate, key: privateKey }),
      );
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  for (const client of clients) client.destroy();
  proxy.close();
});
beforeEach(() => {
  answer = 'S';
});

function url(parameters: string, host = '127.0.0.1'): string {
  const at = new URL(database.url);
  const { port } = proxy.address() as { port: number };
  return `postgres://${at.username}:${at.password}@${host}:${port}${at.pathname}?${parameters}`;
}

const encrypted = 'sslmode=require';
const verified = `sslmode=verify-full&sslrootcert=${encodeURIComponent(authority)}`;
const asks = async (address: string) => await open({ url: address }).rows('select 1');

describe('a connection with TLS', () => {
  // The driver's own TLS wrote to a connection that was closed below it. No listener had the error, so it ended the process.
  it('is abandoned and closed without an error that nobody catches', async () => {
    const connector = new Connector(connectionSettings({ url: url(encrypted) }));
    const [abandoned, closed] = [await connector.open(), await connector.open()];
    expect(await abandoned.rows('select 1')).toEqual([[1]]);
    abandoned.abandon();
    await closed.close();
    // Such an error comes a moment later, and fails the test.
    await sleep(100);
  });

  it('is made again after it was lost', async () => {
    const pool = open({ url: url(encrypted), probeAfterMs: 0 });
    await pool.rows('select 1');
    for (const client of clients) client.destroy();
    expect(await pool.rows('select 1')).toEqual([[1]]);
  });

  it.each(['127.0.0.1', 'localhost'])('verifies the certificate for %s', async (host) => {
    expect(await asks(url(verified, host))).toEqual([[1]]);
  });

  // Attack: somebody between the platform and the database poses as the database, with a certificate for another name. `127.1` is a name of
  // 127.0.0.1 for the resolver.
  it('refuses a certificate for another address', async () => {
    await expect(asks(url(verified, '127.1'))).rejects.toMatchObject({
      code: 'unavailable',
      cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    });
  });

  it.each(['verify-full', 'verify-ca', 'nonsense'])(
    'refuses an unknown authority with sslmode=%s',
    async (mode) => {
      await expect(asks(url(`sslmode=${mode}`))).rejects.toMatchObject({ code: 'unavailable' });
    },
  );

  it('names the file of the authority that cannot be read', async () => {
    const missing = join(directory, 'none.pem');
    await expect(asks(url(`sslmode=verify-full&sslrootcert=${missing}`))).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: expect.stringContaining(missing) },
    });
    const empty = join(directory, 'empty.pem');
    writeFileSync(empty, '');
    await expect(asks(url(`sslmode=verify-full&sslrootcert=${empty}`))).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('is required unless sslmode prefers it', async () => {
    answer = 'N';
    await expect(asks(url(encrypted))).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: 'the database server has no TLS, which sslmode asks for' },
    });
    expect(await asks(url('sslmode=prefer'))).toEqual([[1]]);
  });

  // Attack (CVE-2021-23222): bytes that arrive before the handshake are taken for an answer of the server.
  it('refuses bytes before the handshake', async () => {
    answer = 'S and more';
    await expect(asks(url(encrypted))).rejects.toMatchObject({ code: 'unavailable' });
  });
});
