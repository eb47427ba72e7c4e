import { gzipSync } from 'node:zlib';
import type { Outbound, OutboundRequest } from '@platform/kernel';
import { type LoopbackServer, serve, serveBytes } from '../test/network.ts';
import { createOutbound } from './index.ts';

const open: LoopbackServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

function reaching(
  server: LoopbackServer,
  limits: { timeoutMs?: number; maxBytes?: number } = {},
): [Outbound, string] {
  open.push(server);
  const origin = `http://127.0.0.1:${server.port}`;
  const platformUrl = 'https://platform.example';
  return [createOutbound({ allowInsecureOrigins: [origin], platformUrl, ...limits }), `${origin}/`];
}

async function failure(
  server: LoopbackServer,
  limits?: { timeoutMs?: number; maxBytes?: number },
  request?: Partial<OutboundRequest>,
): Promise<unknown> {
  const [outbound, url] = reaching(server, limits);
  try {
    return await outbound.request({ method: 'GET', url, ...request });
  } catch (error) {
    return (error as { reason?: unknown }).reason;
  }
}

const OK = 'HTTP/1.1 200 OK\r\n';

describe('an outbound exchange', () => {
  it('sends method, headers and body, and returns status, headers and body', async () => {
    const server = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(418, { 'X-Seen': request.headers['content-type'] ?? '' });
        response.end(`${request.method} ${Buffer.concat(chunks)}`);
      });
    });
    const [outbound, url] = reaching(server);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await outbound.request({ method: 'POST', url, headers, body: 'a=\u00e9' });
    expect(answer.status).toBe(418);
    expect(answer.headers['x-seen']).toBe('application/x-www-form-urlencoded');
    expect(answer.body.toString()).toBe('POST a=\u00e9');
  });

  // Attack: a redirect to an address that was not checked, or that gets the client secret of the request.
  it.each([301, 302, 303, 307, 308])('returns a %i and does not follow it', async (status) => {
    const target = await serve((_request, response) => response.end('the secret'));
    open.push(target);
    const server = await serve((_request, response) => {
      response.writeHead(status, { Location: `http://127.0.0.1:${target.port}/` }).end();
    });
    const [outbound, url] = reaching(server);
    expect((await outbound.request({ method: 'GET', url })).status).toBe(status);
    await expect(outbound.getJson(url)).rejects.toMatchObject({ reason: 'bad_status' });
    expect(target.connections()).toBe(0);
  });

  it('stops an endless slow body', async () => {
    const server = await serveBytes((socket) => {
      socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`);
      const drip = setInterval(() => socket.write('1\r\nx\r\n'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await failure(server, { timeoutMs: 150 })).toBe('timeout');
  });

  it('stops endless slow headers', async () => {
    const server = await serveBytes((socket) => {
      socket.write(OK);
      const drip = setInterval(() => socket.write('X-Drip: y\r\n'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await failure(server, { timeoutMs: 150 })).toBe('timeout');
  });

  // Attack: interim responses, which are no part of the body, keep the process busy until the time is over.
  it('takes a few interim responses, and not a stream of them', async () => {
    const interim = (count: number) =>
      serveBytes((socket) => {
        socket.write(`${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(count)}${OK}Content-Length: 2\r\n\r\nok`);
      });
    expect(await failure(await interim(3))).toMatchObject({ status: 200 });
    expect(await failure(await interim(10_000))).toBe('bad_response');
  });

  // Attack: a body of few bytes, in whose chunks there is more around each byte than in it.
  it.each([
    ['chunks of one byte', '1\r\nx\r\n'],
    ['extensions of chunks', `1;${'e'.repeat(1_000)}\r\nx\r\n`],
  ])('limits what it reads besides the body: %s', async (_what, chunk) => {
    const chunked = (bytes: number) =>
      serveBytes((socket) => {
        const head = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
        socket.write(`${head}${chunk.repeat(bytes / chunk.length)}0\r\n\r\n`);
      });
    const limits = { maxBytes: 1_000_000 };
    expect(await failure(await chunked(1_050_000), limits)).toMatchObject({ status: 200 });
    expect(await failure(await chunked(1_100_000), limits)).toBe('too_large');
  });

  it('stops waiting for a silent server, and closes the connection', async () => {
    let closed: () => void = () => {};
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const server = await serveBytes((socket) => {
      socket.resume();
      socket.on('close', () => closed());
    });
    expect(await failure(server, { timeoutMs: 100 })).toBe('timeout');
    await gone;
  });

  it('stops waiting for a silent name server', async () => {
    const outbound = createOutbound({
      allowInsecureOrigins: [],
      platformUrl: 'https://platform.example',
      timeoutMs: 50,
      resolver: { resolve: () => new Promise(() => {}) },
    });
    const request = outbound.request({ method: 'GET', url: 'https://issuer.example/' });
    await expect(request).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('accepts a body of exactly the limit and rejects one byte more', async () => {
    const body = (size: number) => serve((_request, response) => response.end(Buffer.alloc(size)));
    const [outbound, url] = reaching(await body(1000), { maxBytes: 1000 });
    expect((await outbound.request({ method: 'GET', url })).body).toHaveLength(1000);
    expect(await failure(await body(1001), { maxBytes: 1000 })).toBe('too_large');
  });

  it('rejects more than 1 MiB by default', async () => {
    const server = await serve((_request, response) => response.end(Buffer.alloc(1_048_577)));
    expect(await failure(server)).toBe('too_large');
  });

  it('does not decompress a body', async () => {
    const server = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000)));
    });
    expect(await failure(server)).toBe('compressed');
  });

  it.each([
    ['nonsense', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['a body cut short', `${OK}Content-Length: 10\r\n\r\nabc`],
    ['two framings at once', `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc`],
    ['oversized headers', `${OK}X-Long: ${'y'.repeat(100_000)}\r\n\r\n`],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ])('fails on %s', async (_name, bytes) => {
    expect(await failure(await serveBytes((socket) => socket.end(bytes)))).toBe('bad_response');
  });

  it.each([
    ['before the response', ''],
    ['within the headers', 'HTTP/1.1 200 OK\r\nContent-'],
    ['within the body', `${OK}Content-Length: 10\r\n\r\nabc`],
  ])('says that the connection was closed: %s', async (_name, bytes) => {
    const server = await serveBytes((socket) => {
      socket.once('data', () => socket.write(bytes, () => socket.resetAndDestroy()));
    });
    const [outbound, url] = reaching(server);
    await expect(outbound.request({ method: 'GET', url })).rejects.toMatchObject({
      reason: 'bad_response',
      message: expect.stringContaining('closed the connection before its response was complete'),
    });
  });

  it.each([
    ['compressed', 'Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc'],
    ['cut short', 'Content-Length: 10\r\n\r\nabc'],
    ['without an end', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
    ['larger than the limit', `Content-Length: 2000\r\n\r\n${'y'.repeat(2000)}`],
  ])('gives the status of a response whose body is ignored and %s', async (_name, bytes) => {
    const [outbound, url] = reaching(await serveBytes((socket) => socket.write(OK + bytes)), {
      maxBytes: 1000,
    });
    const { status, body } = await outbound.request({ method: 'POST', url, ignoresBody: true });
    expect([status, body.length]).toEqual([200, 0]);
  });

  it('fails if the port is closed', async () => {
    const server = await serve(() => {});
    await server.close();
    expect(await failure(server)).toBe('unreachable');
  });

  it.each([
    ['Host', 'platform.example'],
    ['Transfer-Encoding', 'chunked'],
    ['content-length', '0'],
    ['Connection', 'keep-alive'],
    ['X-A', 'b\r\nX-C: d'],
    ['X A', 'b'],
  ])('refuses to send the header %s: %j', async (name, value) => {
    const server = await serve((_request, response) => response.end());
    expect(await failure(server, {}, { headers: { [name]: value } })).toBe('bad_header');
    expect(server.connections()).toBe(0);
  });
});

describe('getJson', () => {
  const cases: readonly [string, number, string | Buffer, string][] = [
    ['a status other than 200', 404, '{}', 'bad_status'],
    ['an HTML page', 200, '<html>', 'bad_json'],
    ['an empty body', 200, '', 'bad_json'],
    ['invalid UTF-8', 200, Buffer.from([0x22, 0xff, 0x22]), 'bad_json'],
  ];

  it.each(cases)('fails on %s', async (_name, status, body, reason) => {
    const server = await serve((_request, response) => response.writeHead(status).end(body));
    const [outbound, url] = reaching(server);
    await expect(outbound.getJson(url)).rejects.toMatchObject({ name: 'OutboundError', reason });
  });
});
