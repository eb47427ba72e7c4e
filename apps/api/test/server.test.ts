import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { get } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Resource } from '@platform/resources';
import express from 'express';
import { certificateFor } from '../../../packages/outbound-http/test/network.ts';
import { createApiServer } from '../src/process/server.ts';
import { stopServer } from '../src/process/stop.ts';
import { TestApi } from './api.ts';
import { rawRequest, sendRaw } from './raw.ts';

const path = '/api/v1/resources/platform.dev/v1alpha1/organizations/x';
const timeouts = { headers: 60_000, request: 60_000, silence: 60_000, keepAlive: 60_000, checkEvery: 20 };
let api: TestApi;

beforeEach(async () => {
  api = await new TestApi({ timeouts }).start();
});
afterEach(() => api.stop());

/** Holds the next read until the returned function is called. */
function holdReads(): { release: () => void; reached: Promise<void> } {
  let release = () => {};
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  api.store.reader.get = async () => {
    arrive();
    await held;
    return { outcome: 'read', resource: null, cursor: '' };
  };
  return { release, reached };
}

/** A tombstone with a document of so many bytes. */
function bigResource(size: number): Resource {
  const created = '2026-01-01T00:00:00.000Z';
  return {
    uid: '00000000-0000-7000-8000-000000000001',
    apiVersion: 'farm.example/v1',
    kind: 'Farm',
    parentUid: null,
    ancestors: [],
    ancestorUids: [],
    name: 'big',
    discriminator: 'abcdefgh',
    labels: {},
    metadata: '{"annotations":{}}',
    spec: `{"pad":"${'x'.repeat(size)}"}`,
    status: '{"controllers":{}}',
    revision: 1,
    generation: 1,
    finalizers: [],
    ownerReferences: [],
    deletionTimestamp: created,
    creationTimestamp: created,
  };
}

describe('a request with several Host headers', () => {
  // Attack: a proxy in front checks the one host, and this server serves the other (RFC 9112 section 3.2).
  it.each([
    ['two', 'Host: x\r\nHost: evil.example\r\n', 'HTTP/1.1'],
    ['the same twice', 'host: x\r\nHOST: x\r\n', 'HTTP/1.1'],
    ['two in HTTP/1.0', 'Host: x\r\nHost: evil.example\r\n', 'HTTP/1.0'],
  ])('is refused: %s', async (_, hosts, version) => {
    const answer = await sendRaw(api, `GET /healthz ${version}\r\n${hosts}Connection: close\r\n\r\n`);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'malformed_request' });
    expect(answer.head).toMatch(/^x-request-id: /im);
  });
});

describe('a request that several programs may read in several ways', () => {
  const refusal = async (headers: readonly string[]) => {
    const answer = await sendRaw(api, rawRequest('GET', '/healthz', headers));
    return [answer.status, JSON.parse(answer.body).code];
  };

  // Attack: Node.js keeps a bounded number of headers and drops the rest without a word.
  it('is refused, also when its second credential comes behind thousands of headers', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `a${index}: b`);
    expect(await refusal([...many, 'Authorization: Bearer other'])).toEqual([400, 'malformed_request']);
    expect((await sendRaw(api, rawRequest('GET', '/healthz', many))).status).toBe(200);
  });

  it.each(['a b', 'user@x', 'x/evil', 'x, y/', '<x>', 'x"', '\u00e9'])(
    'is refused: Host %s',
    async (host) => {
      const answer = await sendRaw(
        api,
        `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'malformed_request']);
    },
  );

  it.each(['', 'x', 'x_y.example:8080', '[::1]:443', '127.0.0.1', 'x.example.'])(
    'is answered: Host %s',
    async (host) => {
      const answer = await sendRaw(
        api,
        `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer.status).toBe(200);
    },
  );
});

describe('the X-Request-Id of a caller', () => {
  const idOf = async (offered: string) => {
    const answer = await sendRaw(api, rawRequest('GET', '/healthz', [`X-Request-Id: ${offered}`]));
    return /^x-request-id: (.*)$/im.exec(answer.head)?.[1];
  };

  it.each(['q-1', 'A.b:c=d+e/f_g', 'x'.repeat(128)])('is used: %s', async (id) => {
    expect(await idOf(id)).toBe(id);
  });

  // Attack: the id is written to every log line and shown on pages.
  it.each(['"><script>', 'a b', 'a,b', 'a;b', '{"level":"fatal"}', '\u00e9', 'x'.repeat(129)])(
    'is replaced: %s',
    async (id) => {
      expect(await idOf(id)).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
    },
  );
});

describe('a server with as many connections as it takes', () => {
  // Attack: connections that are only held take memory and file descriptors from everybody else.
  it('closes one more at once, and goes on serving those it has and those that come later', async () => {
    const full = await new TestApi({ timeouts: { ...timeouts, maxConnections: 2 } }).start();
    const held = [await openConnection(full.port), await openConnection(full.port)];
    const refused = await openConnection(full.port);
    if (!refused.closed) await once(refused, 'close');
    const [first, second] = held as [Socket, Socket];
    first.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const [answer] = await once(first, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
    if (!first.closed) await once(first, 'close');
    expect(
      await sendRaw(full, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    ).toMatchObject({
      status: 200,
    });
    second.destroy();
    await full.stop();
  });
});

async function openConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'connect');
  return socket;
}

describe('a connection that asks to become something else', () => {
  // Attack: a tunnel through the platform reaches what only the platform reaches.
  it('is closed for CONNECT, which no proxy here answers', async () => {
    const socket = connect(api.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('CONNECT internal.example:443 HTTP/1.1\r\nHost: internal.example:443\r\n\r\n');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    await once(socket, 'close');
    expect(answer).not.toMatch(/^HTTP\/1.1 2/);
  });

  it.each(['websocket', 'h2c', 'TLS/1.2'])('gets a plain answer to Upgrade: %s', async (protocol) => {
    const upgrade = ['Connection: close, Upgrade', `Upgrade: ${protocol}`, 'HTTP2-Settings: AAMAAABk'];
    const answer = await sendRaw(
      api,
      ['GET /healthz HTTP/1.1', 'Host: x', ...upgrade].join('\r\n'),
      '\r\n\r\n',
    );
    expect(answer.status).toBe(200);
    expect(answer.head).not.toMatch(/^upgrade:/im);
  });
});

describe('a slow client', () => {
  beforeEach(async () => {
    await api.stop();
    api = await new TestApi({ timeouts: { ...timeouts, headers: 100, request: 150 } }).start();
  });

  it('that does not finish its headers is answered 408 and cut off', async () => {
    const answer = await sendRaw(api, 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'request_timeout' });
  });

  it('that does not finish its body is cut off', async () => {
    const head =
      'POST /api/v1/resources/platform.dev/v1alpha1/organizations HTTP/1.1\r\nHost: x\r\n' +
      'Authorization: Bearer operator\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
    const answer = await sendRaw(api, head);
    expect(answer.status).toBe(408);
    expect(api.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a client that neither sends nor reads', () => {
  it('is cut off', async () => {
    const slow = await new TestApi({ timeouts: { ...timeouts, silence: 50 } }).start();
    slow.store.reader.get = () => new Promise(() => {});
    const code = await slow.send('GET', path).then(
      () => 'answered',
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(code).toBe('ECONNRESET');
    await slow.stop();
  });
});

describe('stopping', () => {
  it('lets a request that runs be finished, and closes its connection after', async () => {
    const { release, reached } = holdReads();
    const running = api.send('GET', path);
    const answered = running.then((answer) => answer);
    await reached;
    const stopped = stopServer(api.server, 5000);
    release();
    expect((await answered).status).toBe(404);
    await stopped;
  });

  it('takes no new connections', async () => {
    const { port } = api;
    await stopServer(api.server, 5000);
    const socket = connect(port, '127.0.0.1');
    const [error] = await once(socket, 'error');
    expect(error.code).toBe('ECONNREFUSED');
  });

  it('closes idle connections that clients keep alive', async () => {
    const agent = new Agent({ keepAlive: true });
    const call = request({ host: '127.0.0.1', port: api.port, path: '/healthz', agent }).end();
    const [response] = await once(call, 'response');
    response.resume();
    await once(response, 'end');
    await stopServer(api.server, 60_000);
    agent.destroy();
  });

  it('closes the connection of a request that ran, although its client keeps it', async () => {
    const { release, reached } = holdReads();
    const agent = new Agent({ keepAlive: true });
    const headers = { Authorization: 'Bearer operator' };
    const call = request({ host: '127.0.0.1', port: api.port, path, agent, headers }).end();
    await reached;
    const stopped = stopServer(api.server, 60_000);
    release();
    const [response] = await once(call, 'response');
    response.resume();
    await stopped;
    agent.destroy();
  });

  it('tells clients whose requests come late that the connection ends', async () => {
    const { release, reached } = holdReads();
    const line = (target: string) =>
      `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer operator\r\n\r\n`;
    const socket = connect(api.port, '127.0.0.1');
    let received = '';
    const ended = once(socket, 'end');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.write(line(path));
    await reached;
    const late = once(api.server, 'request');
    const stopped = stopServer(api.server, 60_000);
    socket.write(line('/healthz'));
    await late;
    release();
    await stopped;
    await ended;
    expect(
      received
        .split('HTTP/1.1 ')
        .slice(1)
        .map((answer) => /Connection: (\S+)/.exec(answer)?.[1]),
    ).toEqual(['keep-alive', 'close']);
  });

  it('lets a slow client read its answer to the end', async () => {
    const size = 30_000_000;
    const ended = new Promise<void>((resolve) => {
      api.server.prependListener('request', (_request, response) =>
        response.once('prefinish', () => resolve()),
      );
    });
    api.store.reader.pendingDeletion = async () => ({ items: [bigResource(size)], more: false });
    const headers = { Authorization: 'Bearer operator' };
    const agent = new Agent({ keepAlive: true });
    const target = '/api/v1/resources/pending-deletion';
    const call = request({ host: '127.0.0.1', port: api.port, path: target, headers, agent }).end();
    const [response] = await once(call, 'response');
    await ended;
    const stopped = stopServer(api.server, 60_000);
    let read = 0;
    for await (const chunk of response) read += chunk.length;
    expect(read).toBe(Number(response.headers['content-length']));
    await stopped;
    agent.destroy();
  });

  it('waits for no TLS handshake, and lets requests that run with TLS be finished', async () => {
    let answer = () => {};
    const app = express().get('/', (_request, response) => {
      answer = () => void response.send('answered');
    });
    const certificate = await certificateFor('localhost');
    const server = createApiServer(app, undefined, certificate).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const silent = connect(port, '127.0.0.1').on('error', () => undefined);
    const call = get({
      host: '127.0.0.1',
      port,
      ca: certificate.cert,
      servername: 'localhost',
      agent: false,
    });
    await Promise.all([once(silent, 'connect'), once(server, 'request')]);
    const stopped = stopServer(server, 600_000);
    await once(silent.resume(), 'close');
    answer();
    const [response] = await once(call, 'response');
    expect(await text(response)).toBe('answered');
    await stopped;
  });

  it('cuts what still runs after the grace', async () => {
    const { release, reached } = holdReads();
    const cut = api.send('GET', path).then(
      () => 'answered',
      (error: NodeJS.ErrnoException) => error.code,
    );
    await reached;
    await stopServer(api.server, 50);
    expect(await cut).toBe('ECONNRESET');
    release();
  });
});
