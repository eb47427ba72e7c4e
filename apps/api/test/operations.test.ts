import { Problem, StorageUnavailable } from '@platform/kernel';
import { useApi } from './api.ts';
import { register, v1 } from './kinds.ts';
import { rawRequest, sendRaw } from './raw.ts';

const api = useApi();

beforeEach(() => {
  api.open = true;
  api.reasons = [];
  api.log.clear();
});

const everywhere: readonly (readonly [string, string, string | null])[] = [
  ['a health check', '/healthz', null],
  ['an answer', '/api/v1/resources/platform.dev/v1alpha1/organizations', 'operator'],
  ['a 400', '/api/v1/resources/x', 'operator'],
  ['a 401', '/api/v1/resources/x', null],
  ['a 403', '/api/v1/resources/x', 'user'],
  ['a 404', '/nothing/here', null],
];

describe('every response', () => {
  it.each(everywhere)('names the request and forbids sniffing: %s', async (_name, path, as) => {
    const { headers } = await api.send('GET', path, as);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  it('takes over a sane request id and replaces any other', async () => {
    const idFor = async (id: string) =>
      (await api.send('GET', '/healthz', null).set('X-Request-Id', id)).headers['x-request-id'];
    expect(await idFor('abc-123_X.y:z')).toBe('abc-123_X.y:z');
    for (const id of ['a b', '"', 'é', '<script>', 'x'.repeat(129), '']) {
      expect(await idFor(encodeURI(id) === id ? id : 'a,b')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('a refusal', () => {
  it('is a problem document with every documented member', async () => {
    const answer = await api.send('GET', '/api/v1/resources/x?secret=1').set('X-Request-Id', 'q').expect(400);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.body).toEqual({
      type: '/problems/malformed_path',
      title: 'The path is malformed',
      status: 400,
      detail: expect.any(String),
      instance: '/api/v1/resources/x',
      code: 'malformed_path',
      requestId: 'q',
    });
  });

  it.each([
    ['an unknown endpoint', 'GET', '/nothing'],
    ['an unknown endpoint, any method', 'PUT', '/api/v1/nothing'],
    ['a slash at the end', 'GET', '/healthz/'],
    ['another case', 'GET', '/HEALTHZ'],
    ['a bad encoding where nothing is', 'GET', '/%zz'],
    ['a double slash', 'GET', '//healthz'],
  ])('is 404 for %s', async (_name, method, path) => {
    expect((await api.send(method, path, null).expect(404)).body.code).toBe('unknown_endpoint');
  });

  it('is 405 with Allow for a known endpoint and another method', async () => {
    const answer = await api.send('POST', '/healthz', null).expect(405);
    expect(answer.headers['allow']).toBe('GET');
  });

  it('of our own making is logged with its cause and tells nothing of it', async () => {
    const broken = new Error('select * from secrets');
    const { reader } = api.store;
    const get = reader.get;
    reader.get = async () => {
      throw broken;
    };
    const answer = await api.get('platform.dev/v1alpha1/organizations/x').expect(500);
    reader.get = get;
    expect(answer.body).toMatchObject({
      code: 'internal_error',
      detail: 'The request could not be completed.',
    });
    expect(answer.text).not.toContain('secrets');
    expect(api.log.lines.find(({ level }) => level === 'error')?.fields['error']).toBe(broken);
  });

  it('is 503 with Retry-After while the database is away, and over when it is back', async () => {
    const { reader } = api.store;
    const get = reader.get;
    reader.get = async () => {
      throw new Problem('unavailable', 'The database cannot be reached.', { retryAfterSeconds: 2 });
    };
    const answer = await api.get('platform.dev/v1alpha1/organizations/x').expect(503);
    expect(answer.headers['retry-after']).toBe('2');
    reader.get = get;
    await api.get('platform.dev/v1alpha1/organizations/x').expect(404);
  });
});

describe('an outage of the database', () => {
  it('is logged with its cause, which is never sent', async () => {
    const { reader } = api.store;
    const get = reader.get;
    const full = new Error('could not extend file "base/5/16": No space left on device');
    reader.get = async () => {
      throw new StorageUnavailable('The database cannot serve now.', full);
    };
    const answer = await api.get('platform.dev/v1alpha1/organizations/x').expect(503);
    reader.get = get;
    const line = api.log.lines.findLast(({ message }) => message === 'request not served');
    expect(line?.fields).toMatchObject({ code: 'unavailable', cause: full.message });
    expect(answer.text).not.toContain('space left');
  });

  it('is logged also where refusals have another form', async () => {
    const { reader } = api.store;
    const get = reader.get;
    reader.get = async () => {
      throw new StorageUnavailable('The database cannot serve now.', new Error('too many connections'));
    };
    const path = '/kubernetes/apis/platform.dev/v1alpha1/organizations/x';
    const answer = await api.send('GET', path).expect(503);
    reader.get = get;
    expect(answer.body.kind).toBe('Status');
    const lines = api.log.lines.filter(({ message }) => message === 'request not served');
    expect(lines.map(({ fields }) => fields['cause'])).toEqual(['too many connections']);
  });
});

describe('/healthz', () => {
  it('says that the process lives, whatever else is wrong', async () => {
    api.open = false;
    api.reasons = ['the database cannot be reached'];
    await api.send('GET', '/healthz', null).expect(200);
    await api.send('HEAD', '/healthz', null).expect(200);
  });
});

describe('/readyz', () => {
  it('is 200 when the service can serve', async () => {
    await api.send('GET', '/readyz', null).expect(200);
  });

  it('is 503 with every reason when it cannot', async () => {
    api.reasons = ['one', 'two'];
    const answer = await api.send('GET', '/readyz', null).expect(503);
    expect(answer.body).toMatchObject({ code: 'unavailable', reasons: ['one', 'two'] });
    expect(answer.headers['retry-after']).toBe('1');
    expect(api.log.lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  });
});

describe('before the database is prepared', () => {
  it('every endpoint but those of operations is 503', async () => {
    api.open = false;
    const answer = await api.get('platform.dev/v1alpha1/organizations').expect(503);
    expect(answer.headers['retry-after']).toBe('1');
    await api.send('GET', '/metrics', null).expect(200);
  });
});

describe('/metrics', () => {
  it('counts requests by method, route template and status, and by nothing that clients choose', async () => {
    await register(api, 'Farm');
    await api.get(`${v1}/farms/client-chosen`).expect(404);
    await api.send('GET', '/client-chosen', null).expect(404);
    const { text, headers } = await api.send('GET', '/metrics', null).expect(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toContain('_count{method="GET",route="/api/v1/resources/{item}",status="404"}');
    expect(text).toContain('{method="GET",route="none",status="404"}');
    expect(text).not.toContain('client-chosen');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).toContain('process_cpu_seconds_total');
  });
});

describe('the access log', () => {
  it('has a line for each request, without query and headers', async () => {
    await api.send('GET', '/healthz?code=secret-code', 'secret-token');
    const [line] = api.log.lines;
    expect(line).toMatchObject({
      level: 'debug',
      message: 'request',
      fields: { method: 'GET', path: '/healthz', status: 200 },
    });
    expect(JSON.stringify(line)).not.toContain('secret');
  });
});

describe('a request that is no proper HTTP', () => {
  it.each([
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['two lengths', rawRequest('POST', '/healthz', ['Content-Length: 1', 'Content-Length: 2']), 400],
    [
      'a length and chunks',
      rawRequest('POST', '/healthz', ['Content-Length: 1', 'Transfer-Encoding: chunked']),
      400,
    ],
    ['headers beyond the limit', rawRequest('GET', '/healthz', [`X-A: ${'a'.repeat(40_000)}`]), 431],
    ['a target beyond the limit', rawRequest('GET', `/${'a'.repeat(40_000)}`), 431],
  ])('is answered like every other refusal: %s', async (_name, text, status) => {
    const answer = await sendRaw(api, text);
    expect(answer.status).toBe(status);
    expect(answer.head).toMatch(/X-Request-Id: [0-9a-f-]{36}/);
    expect(answer.head).toContain('X-Content-Type-Options: nosniff');
    expect(JSON.parse(answer.body)).toMatchObject({ status, code: expect.any(String) });
  });

  it('is served in HTTP/1.0 without a Host', async () => {
    expect((await sendRaw(api, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});
