import { once } from 'node:events';
import { createServer, get as httpGet, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type RecordingLogger, recordingLogger, until } from '@platform/development/testing';
import { Problem } from '@platform/kernel';
import express from 'express';
import { z } from 'zod';
import { bodyLimitOnly, fakeAuthenticator } from '../../test/fakes.ts';
import { accessLog } from '../http/access-log.ts';
import { createAuthorize } from '../http/authorize.ts';
import { errorHandler } from '../http/error-handler.ts';
import { createMetrics, type Metrics } from '../http/metrics.ts';
import { requestContext } from '../http/request-context.ts';
import { json, stream } from './answer.ts';
import { typedBody } from './body.ts';
import type { Call } from './call.ts';
import { type BoundEndpoint, bind, endpoint } from './descriptor.ts';
import { mountEndpoints } from './mount.ts';

const shared = { tag: 'Test', summary: 'Test', responses: { 200: { description: 'It did.' } } } as const;
const line = `${'x'.repeat(65_535)}\n`;

/** Makes the streams of a test, and records how far they got. */
class Source {
  made = 0;
  ended = false;
  wait: Promise<unknown> | null = null;

  async *lines({ signal, stopping }: Call, count: number): AsyncGenerator<string> {
    try {
      while (this.made < count) {
        if (this.wait !== null) {
          await Promise.race([this.wait, once(signal, 'abort'), once(stopping, 'abort')]);
        }
        if (signal.aborted) return;
        if (stopping.aborted) return yield 'bye\n';
        this.made += 1;
        yield line;
      }
    } finally {
      this.ended = true;
    }
  }
}

function testEndpoints(source: Source): readonly BoundEndpoint[] {
  const watch = (path: string, count: number) =>
    endpoint({
      ...shared,
      method: 'GET',
      path,
      id: 'watch',
      access: 'public',
      unlimited: 'a test',
      handle: (deps: Source, _input, call) => stream(deps.lines(call, count), 'application/x-ndjson'),
    });
  const broken = endpoint({
    ...shared,
    method: 'GET',
    path: '/broken',
    id: 'broken',
    access: 'public',
    unlimited: 'a test',
    handle: () =>
      stream(
        (async function* () {
          yield 'first\n';
          throw new Error('the source failed');
        })(),
        'application/x-ndjson',
      ),
  });
  const refused = endpoint({
    ...shared,
    method: 'GET',
    path: '/refused',
    id: 'refused',
    access: 'public',
    unlimited: 'a test',
    handle() {
      throw new Problem('not_found', 'There is nothing to watch.');
    },
  });
  const typed = endpoint({
    ...shared,
    method: 'POST',
    path: '/items/{item}',
    id: 'typed',
    access: 'authenticated',
    unknownQuery: 'refuse',
    params: z.object({ item: z.string() }),
    query: z.object({
      count: z.coerce.number('must be a number').int().max(10).default(1),
      tag: z.array(z.string()).default([]),
    }),
    body: typedBody(z.strictObject({ size: z.int() }), {}, {}),
    async handle(_deps: Source, { principal, params, query, body }) {
      const { size } = await body();
      return json(200, { caller: principal.type, item: params.item, ...query, size });
    },
  });
  const grown = endpoint({
    ...shared,
    method: 'POST',
    path: '/grown',
    id: 'grown',
    access: 'authenticated',
    body: typedBody(z.looseObject({}), {}, {}),
    async handle(_deps: Source, { body }) {
      await body();
      throw new Problem('payload_too_large', 'It became too large.');
    },
  });
  return bind([watch('/watch', 3), watch('/flood', 10_000), broken, refused, typed, grown], source);
}

describe('an endpoint', () => {
  let server: Server;
  let source: Source;
  let metrics: Metrics;
  let log: RecordingLogger;
  let stopping: AbortController;

  beforeEach(async () => {
    source = new Source();
    metrics = createMetrics(null, '0.0.0');
    log = recordingLogger();
    stopping = new AbortController();
    const app = express();
    app.set('query parser', false);
    app.use(requestContext);
    app.use(accessLog(metrics, log));
    mountEndpoints(app, testEndpoints(source), {
      authorize: createAuthorize(fakeAuthenticator, { name: 'platform_session', origin: 'http://test' }),
      limits: bodyLimitOnly(1_000),
      bodyLimitBytes: 1_000,
      stopping: stopping.signal,
    });
    app.use(errorHandler(log));
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const url = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

  async function open(path: string): Promise<IncomingMessage> {
    const [response] = await once(
      httpGet(url(path)).on('error', () => undefined),
      'response',
    );
    return response.on('error', () => undefined);
  }

  const counted = async (route: string, status: number, method = 'GET') =>
    (await metrics.render()).includes(`_count{method="${method}",route="${route}",status="${status}"} 1`);

  it('streams what its handler makes, and is counted once at the end', async () => {
    const response = await fetch(url('/watch'));
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('content-length')).toBeNull();
    expect(await response.text()).toBe(line.repeat(3));
    await until(() => counted('/watch', 200));
    expect(source.ended).toBe(true);
  });

  it('sends the headers of a stream before its first event', async () => {
    let go: () => void = () => undefined;
    source.wait = new Promise<void>((resolve) => {
      go = resolve;
    });
    const response = await fetch(url('/watch'));
    expect(response.status).toBe(200);
    expect(source.made).toBe(0);
    go();
    expect((await response.text()).length).toBe(3 * line.length);
  });

  it('makes a stream only as fast as the client reads it', async () => {
    const response = await open('/flood');
    response.pause();
    let before = -1;
    // The stream stops when the buffers of the sockets are full.
    while (before !== source.made) {
      before = source.made;
      await delay(300);
    }
    expect(source.made).toBeLessThan(2_000);
    response.resume();
    await until(() => source.made > before);
    response.destroy();
  });

  it('ends a stream whose client goes away, also while it waits for an event, and counts it as status 0', async () => {
    source.wait = new Promise(() => undefined);
    const response = await open('/watch');
    response.destroy();
    await until(() => source.ended);
    await until(() => counted('/watch', 0));
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('cuts the connection when a stream fails, and logs the error with the id of the request', async () => {
    const response = await fetch(url('/broken'), { headers: { 'X-Request-Id': 'r-1' } });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await until(() => log.lines.some(({ fields }) => fields['requestId'] === 'r-1'));
  });

  it('answers a refusal before the stream as a problem', async () => {
    const response = await fetch(url('/refused'));
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json',
    ]);
  });

  it('closes the connection on a body that is too large, and counts the refusal, also when the client hangs up', async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const head = ['POST /items/one HTTP/1.1', 'Host: test', 'Authorization: Bearer operator'];
    const length = ['Content-Type: application/json', 'Content-Length: 5000', '', ''];
    socket.write([...head, ...length].join('\r\n'));
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP.1.1 413 .*\r\nConnection: close\r\n/s);
    await until(() => counted('/items/:item', 413, 'POST'));
  });

  it('keeps the connection after the whole body, also when the answer is that it is too large', async () => {
    const answer = await send('/grown', '{}');
    expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'keep-alive']);
    await until(() => counted('/grown', 413, 'POST'));
  });

  it('answers HEAD of a stream without running it', async () => {
    const response = await fetch(url('/watch'), { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(source.made).toBe(0);
  });

  it('tells a stream that the process stops, so that it can end properly', async () => {
    source.wait = new Promise(() => undefined);
    const response = await fetch(url('/watch'));
    stopping.abort();
    expect(await response.text()).toBe('bye\n');
  });

  const send = (path: string, body: string, token: string | null = 'operator') =>
    fetch(url(path), {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      },
    });

  it('gets parsed parameters, query and body', async () => {
    const response = await send('/items/a%20b?count=3&tag=x&tag=y', '{"size":2}');
    const expected = { caller: 'operator', item: 'a b', count: 3, tag: ['x', 'y'], size: 2 };
    expect(await response.json()).toEqual(expected);
  });

  it.each([
    ['?count=11&count=12', 'count must appear once'],
    ['?count=x', 'count must be a number'],
    ['?colour=red&size=2', '"colour", "size"'],
  ])('refuses the query %s with every fault', async (query, detail) => {
    const response = await send(`/items/a${query}`, '{"size":2}');
    const problem = (await response.json()) as { code: string; detail: string };
    expect([response.status, problem.code]).toEqual([400, 'invalid_query']);
    expect(problem.detail).toContain(detail);
  });

  it('refuses a body of another shape with every fault', async () => {
    const response = await send('/items/a', '{"size":"2","more":1}');
    const problem = (await response.json()) as { code: string; errors: { path: string }[] };
    expect(problem.code).toBe('validation_failed');
    expect(problem.errors.map(({ path }) => path).sort()).toEqual(['/more', '/size']);
  });

  it('authorizes before it looks at query and body', async () => {
    expect((await send('/items/a?colour=red', 'no json', null)).status).toBe(401);
  });
});
