import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeTimers, settled } from '@platform/development/testing';
import { type Scripted, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createClient } from '../client.ts';
import type { TokenSource } from '../tokens/token-source.ts';

const unavailable = (headers = {}): Scripted => ({ status: 503, body: { code: 'unavailable' }, headers });
const ok: Scripted = { status: 200, body: { fine: true } };

function setUp(script: Scripted[], token: string | TokenSource = 'secret') {
  const timers = new FakeTimers();
  const { fetch, seen } = scriptedFetch(script);
  const client = createClient({ baseUrl: 'http://platform.test/', token, fetch, timers });
  const get = (signal?: AbortSignal) => client.send({ method: 'GET', path: '/x', signal });
  return { timers, seen, client, get };
}

describe('a request', () => {
  it('sends the token, and a body as JSON or as an unchanged string', async () => {
    const { client, seen } = setUp([ok, ok]);
    await client.send({ method: 'POST', path: '/x', query: { a: 1, b: undefined }, body: { n: 1 } });
    await client.send({ method: 'PUT', path: '/x', body: '{"n":1e400}' });
    expect(seen.map(({ method, target, body }) => [method, target, body])).toEqual([
      ['POST', '/x?a=1', '{"n":1}'],
      ['PUT', '/x', '{"n":1e400}'],
    ]);
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer secret');
    expect(seen[0]?.headers.get('content-type')).toBe('application/json');
  });

  it('returns exactly the text that the server sent', async () => {
    const { get } = setUp([{ status: 200, body: '{"n": 12345678901234567890, "m": 1.10}' }]);
    expect((await get()).text).toBe('{"n": 12345678901234567890, "m": 1.10}');
  });
});

describe('a token that no header can carry', () => {
  it.each(['one\ntwo', 'zażółć'])('is refused without being told: %j', async (token) => {
    const client = createClient({ baseUrl: 'http://platform.test', token });
    const error = await client.send({ method: 'GET', path: '/x' }).catch((failure) => failure);
    expect(error).toMatchObject({ status: 0, code: 'no_token' });
    expect(String(error) + String(error.cause)).not.toContain(token.slice(0, 3));
  });
});

describe('an error response', () => {
  it('becomes a PlatformError with the members of RFC 9457', async () => {
    const problem = {
      type: '/problems/revision_conflict',
      title: 'The resource has changed',
      status: 409,
      detail: 'metadata.revision is 3',
      instance: '/x',
      code: 'revision_conflict',
      requestId: 'r1',
      errors: [{ path: '/metadata', message: 'no' }],
      currentRevision: 4,
    };
    const { get } = setUp([{ status: 409, body: problem }]);
    const { type, title, status, detail, instance, code, requestId, errors } = problem;
    await expect(get()).rejects.toMatchObject({
      name: 'PlatformError',
      message: 'revision_conflict: metadata.revision is 3',
      type,
      title,
      status,
      detail,
      instance,
      code,
      requestId,
      errors,
      members: { currentRevision: 4 },
    });
  });

  it('becomes the same error for OAuth and for a proxy that is not the platform', async () => {
    const { get } = setUp([
      { status: 400, body: { error: 'invalid_grant', error_description: 'not accepted' } },
      { status: 502, body: '<html>bad gateway</html>', headers: { 'X-Request-Id': 'r2' } },
    ]);
    await expect(get()).rejects.toMatchObject({ status: 400, code: 'invalid_grant', detail: 'not accepted' });
    await expect(get()).rejects.toMatchObject({ status: 502, code: 'unexpected_answer', requestId: 'r2' });
  });

  it('with status 401 reports the token to its source, and is not retried', async () => {
    const rejected: string[] = [];
    const source = { token: async () => 'old', rejected: (token: string) => void rejected.push(token) };
    const { get, seen } = setUp([{ status: 401, body: { code: 'unauthenticated' } }], source);
    await expect(get()).rejects.toMatchObject({ status: 401 });
    expect([rejected, seen.length]).toEqual([['old'], 1]);
  });
});

describe('a request is retried', () => {
  it('after 429 and 503, with exponential backoff and jitter', async () => {
    const { get, seen, timers } = setUp([unavailable(), { status: 429 }, unavailable(), ok]);
    const answer = get();
    const sentAfter: number[] = [];
    for (let ms = 0; ms <= 800; ms += 50) {
      await timers.advance(ms === 0 ? 0 : 50);
      sentAfter[seen.length] ??= ms;
    }
    // Half of 200, 400 and 800.
    expect(sentAfter.slice(1)).toEqual([0, 100, 300, 700]);
    expect((await answer).status).toBe(200);
  });

  it('only after Retry-After has passed, in seconds or as a date', async () => {
    const { get, seen, timers } = setUp([
      unavailable({ 'Retry-After': '3' }),
      unavailable({ 'Retry-After': new Date(Date.UTC(2026, 0, 1, 0, 0, 8)).toUTCString() }),
      ok,
    ]);
    const answer = get();
    await timers.advance(3_000);
    expect(seen).toHaveLength(1);
    await timers.advance(100);
    expect(seen).toHaveLength(2);
    await timers.advance(4_900);
    expect(seen).toHaveLength(2);
    await timers.advance(400);
    await answer;
  });

  it('not after a write whose outcome is unknown, unless a second time does no harm', async () => {
    const unknown: Scripted = { status: 503, body: { code: 'outcome_unknown' } };
    const { client, seen, timers } = setUp([unknown, unknown, ok, unknown, ok]);
    const write = client.send({ method: 'PUT', path: '/api' });
    await expect(write).rejects.toMatchObject({ status: 503, code: 'outcome_unknown' });
    expect(seen).toHaveLength(1);
    const again = client.send({ method: 'PUT', path: '/api', repeatable: true });
    await timers.advance(1_000);
    expect((await again).status).toBe(200);
    const read = client.send({ method: 'GET', path: '/api' });
    await timers.advance(1_000);
    expect((await read).status).toBe(200);
    expect(seen).toHaveLength(5);
  });

  it('not after a write that a proxy answers 503, since the proxy may have passed it on', async () => {
    const lost: Scripted = { status: 503, body: 'upstream connect error or disconnect/reset before headers' };
    const { client, seen, timers } = setUp([lost, lost, ok]);
    const write = client.send({ method: 'DELETE', path: '/api' });
    await expect(write).rejects.toMatchObject({ status: 503, code: 'unexpected_answer' });
    expect(seen).toHaveLength(1);
    const read = client.send({ method: 'GET', path: '/api' });
    await timers.advance(1_000);
    expect((await read).status).toBe(200);
  });

  it('not when Retry-After exceeds the longest wait', async () => {
    const { get } = setUp([{ status: 429, headers: { 'Retry-After': '3600' } }]);
    await expect(get()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 3600 });
  });

  it('a limited number of times', async () => {
    const { get, seen, timers } = setUp(Array.from({ length: 9 }, () => unavailable()));
    const outcome = expect(get()).rejects.toMatchObject({ code: 'unavailable' });
    await timers.advance(60_000);
    await outcome;
    expect(seen).toHaveLength(5);
  });

  it.each([400, 403, 404, 408, 409, 422, 500, 502, 504])('never after %i', async (status) => {
    const { get, seen } = setUp([{ status }, ok]);
    await expect(get()).rejects.toMatchObject({ status });
    expect(seen).toHaveLength(1);
  });

  it('after a lost connection, unless the server may have done the work and must not do it again', async () => {
    const lost = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const { client, get, seen, timers } = setUp([lost(), ok, lost(), ok, lost()]);
    const answers = [
      () => get(),
      () => client.send({ method: 'POST', path: '/x', idempotencyKey: 'k1' }),
      () => client.send({ method: 'PUT', path: '/x' }).catch(({ code }) => ({ status: code })),
    ];
    const statuses: unknown[] = [];
    for (const ask of answers) {
      const answer = ask();
      await timers.advance(5_000);
      statuses.push((await answer).status);
    }
    expect(statuses).toEqual([200, 200, 'unreachable']);
    expect(seen).toHaveLength(5);
  });

  it('after a server closed the connection that the request came on', async () => {
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      if (requests === 1) request.socket.destroy();
      else response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const client = createClient({ baseUrl: `http://127.0.0.1:${port}` });
      const { status } = await client.send({ method: 'POST', path: '/x', body: {}, idempotencyKey: 'k1' });
      expect([status, requests]).toEqual([200, 2]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('not when no connection can be made', async () => {
    const { get, seen } = setUp([new Error('connect ECONNREFUSED'), ok]);
    await expect(get()).rejects.toMatchObject({
      status: 0,
      code: 'unreachable',
      detail: 'GET http://platform.test/x: connect ECONNREFUSED',
    });
    expect(seen).toHaveLength(1);
  });
});

describe('an abort signal', () => {
  it('ends a running request with its reason', async () => {
    const { get, timers } = setUp(['silence']);
    const controller = new AbortController();
    const outcome = expect(get(controller.signal)).rejects.toBe('enough');
    await settled();
    controller.abort('enough');
    await outcome;
    expect(timers.waiting).toBe(0);
  });

  it('ends the wait for the next attempt', async () => {
    const { get, seen, timers } = setUp([unavailable({ 'Retry-After': '10' }), ok]);
    const controller = new AbortController();
    const outcome = expect(get(controller.signal)).rejects.toBe('enough');
    await settled();
    controller.abort('enough');
    await outcome;
    expect([seen.length, timers.waiting]).toEqual([1, 0]);
  });

  it('prevents the request when it is aborted already', async () => {
    const { get, seen } = setUp([ok]);
    await expect(get(AbortSignal.abort('enough'))).rejects.toBe('enough');
    expect(seen).toEqual([]);
  });
});

it('a request without a response fails after the timeout', async () => {
  const { get, timers } = setUp(['silence']);
  const outcome = expect(get()).rejects.toMatchObject({ status: 0, code: 'timeout' });
  await timers.advance(30_000);
  await outcome;
});

it.each(['platform.test', 'ftp://platform.test', 'http://platform.test/?a=1'])(
  'no platform is at %s',
  (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow('not a valid platform URL');
  },
);

it('explains that a server does not use TLS, without the text of OpenSSL', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const client = createClient({ baseUrl: `https://127.0.0.1:${port}` });
    await expect(client.send({ method: 'GET', path: '/x' })).rejects.toMatchObject({
      code: 'unreachable',
      detail: `GET https://127.0.0.1:${port}/x: the server does not use TLS; try http:// instead of https://`,
    });
  } finally {
    server.close();
  }
});

it('a POST with an idempotency key is repeated after a lost answer and while the first one runs', async () => {
  const { client, seen, timers } = setUp([
    { status: 503, body: { code: 'outcome_unknown' } },
    { status: 409, body: { code: 'request_in_progress' }, headers: { 'Retry-After': '1' } },
    ok,
  ]);
  const answer = client.send({ method: 'POST', path: '/api', idempotencyKey: 'k1' });
  await timers.advance(5_000);
  expect((await answer).status).toBe(200);
  expect(seen.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['k1', 'k1', 'k1']);
});
