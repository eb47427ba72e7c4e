import { request as httpRequest } from 'node:http';
import { createMetrics } from '../../src/http/metrics.ts';
import { createMetricsServer } from '../../src/process/metrics-server.ts';
import { WholeApi } from './whole-api.ts';

const perMinute = 3;
const api = new WholeApi(() => ({
  limits: { oauth_requests_per_minute: perMinute },
  server: { trusted_proxies: ['127.0.0.1/32', '::1/128'], metrics_listen: '127.0.0.1:9' },
}));

/** A bootstrap credential; that of a deployment once there is one. */
let credential = 'a'.repeat(43);

async function makeDeployment(): Promise<void> {
  await api.as('admin', 'post', '/api/v1/projects').send({ name: 'shop' }).expect(201);
  const made = await api
    .as('admin', 'post', '/api/v1/projects/shop/deployments')
    .send({ environment: 'production' })
    .expect(201);
  credential = made.body.bootstrap_credential;
}

/** A request as a load balancer passes it on, with the status and the headers of its answer. */
function ask(method: string, path: string, address: string, body = '', type = 'application/json') {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const headers = {
        'X-Forwarded-For': address,
        Authorization: `Bearer ${credential}`,
        ...(body === '' ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }),
      };
      const sent = httpRequest(`${api.publicUrl}${path}`, { method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    },
  );
}

const anonymous = [
  ['GET', '/api/v1/auth/login?redirect=/docs'],
  ['GET', '/api/v1/auth/authorize?client_id=x'],
  ['GET', '/api/v1/auth/callback?state=x&code=y'],
  ['POST', '/api/v1/auth/token'],
  ['POST', '/api/v1/auth/code/exchange'],
  ['POST', '/api/v1/auth/device/code'],
  ['GET', '/device?user_code=BCDF-BCDF'],
  ['GET', '/api/v1/auth/device/login?user_code=BCDF-BCDF'],
  ['POST', '/api/v1/identity/token'],
] as const;

let caller = 0;
function nextNetwork(): string {
  caller += 1;
  return `2001:db8:${caller.toString(16)}:1`;
}

describe.each(anonymous)('%s %s', (method, path) => {
  const body = method === 'POST' ? '{}' : '';

  it('answers a caller so often a minute, and takes a network of IPv6 for one', async () => {
    const network = nextNetwork();
    for (let tried = 0; tried < perMinute; tried += 1) {
      expect((await ask(method, path, `${network}::${tried + 1}`, body)).status).not.toBe(429);
    }
    const refused = await ask(method, path, `${network}:ffff::1`, body);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask(method, path, `${nextNetwork()}::1`, body)).status).not.toBe(429);
  });
});

describe.each(anonymous.filter(([method]) => method === 'POST'))('%s %s', (method, path) => {
  it('reads bodies of 64 KiB, and none that are longer', async () => {
    if (path === '/api/v1/identity/token') await makeDeployment();
    const sized = (bytes: number) => `{"x":"${'a'.repeat(bytes - 8)}"}`;
    expect((await ask(method, path, `${nextNetwork()}::1`, sized(65_536))).status).not.toBe(413);
    expect((await ask(method, path, `${nextNetwork()}::1`, sized(65_537))).status).toBe(413);
  });
});

it('one endpoint does not use up what the same caller may ask of the others', async () => {
  const address = `${nextNetwork()}::1`;
  const tokens = '/api/v1/auth/token';
  for (let tried = 0; tried < 5 * perMinute; tried += 1) await ask('POST', tokens, address, '{}');
  expect((await ask('POST', tokens, address, '{}')).status).toBe(429);
  for (const [method, path] of anonymous.filter(([, at]) => at !== tokens)) {
    const { status } = await ask(method, path, address, method === 'POST' ? '{}' : '');
    expect([path, status]).not.toEqual([path, 429]);
  }
});

it('encrypts no body above 64 KiB, and not without end', async () => {
  const seal = (plaintext: string) => api.as('owner', 'post', '/api/v1/encrypt').send({ plaintext });
  await seal('x'.repeat(70_000)).expect(413);
  await seal('').expect(400);
  await seal('').expect(400);
  await seal('').expect(429);
});

it.each(['/api/v1/auth/token', '/api/v1/auth/code/exchange'])(
  'POST %s takes no JSON with a member twice',
  async (path) => {
    const twice = '{"grant_type":"a","grant_type":"authorization_code"}';
    const { status, text } = await ask('POST', path, `${nextNetwork()}::1`, twice);
    expect([status, JSON.parse(text)]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.stringContaining("duplicate key 'grant_type'") },
    ]);
  },
);

describe('server.metrics_listen', () => {
  it('takes the metrics away from the port of the API', async () => {
    expect((await ask('GET', '/metrics', '192.0.2.1')).status).toBe(404);
  });

  it('serves them, and nothing else, on a listener of its own', async () => {
    const server = createMetricsServer({ host: '127.0.0.1', port: 0 }, createMetrics(null, '0.0.0'));
    const address = await server.listen();
    const at = (path: string, method = 'GET') =>
      fetch(`http://${address?.host}:${address?.port}${path}`, { method });
    const scrape = await at('/metrics?job=platform');
    expect(await scrape.text()).toContain('process_cpu');
    expect(scrape.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect([(await at('/healthz')).status, (await at('/metrics', 'POST')).status]).toEqual([404, 404]);
    await server.close();
  });
});
