import type { ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  buildOnce,
  OtlpReceiver,
  type ReceivedSpan,
  testDatabase,
  timeoutFactor,
} from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import { ApiProcesses, ended, ready, said } from './api-process.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });
const processes = new ApiProcesses(() => database.url);
const organization = '/api/v1/resources/platform.dev/v1alpha1/organizations/default';
const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;

let receiver: OtlpReceiver;

beforeAll(() => buildOnce(), 120_000);

beforeEach(async () => {
  receiver = await OtlpReceiver.open();
});

afterEach(() => receiver.close());

/** Traces to the receiver, sent soon. */
const traced = (changes: Record<string, string> = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_BSP_SCHEDULE_DELAY: '10',
  PLATFORM__AUTH__OPERATOR_USERS: '[ann@example.dev]',
  PLATFORM__LOG__LEVEL: 'debug',
  ...changes,
});

/** A session of an operator. */
function session(): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: 'http://localhost:1',
    aud: 'http://localhost:1',
    sub: 'u-1',
    email: 'ann@example.dev',
    iat: now,
    exp: now + 60,
  };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', Buffer.alloc(32)).update(signed).digest('base64url')}`;
}

const server = (span: ReceivedSpan) => span.kind === 2;

async function stop(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM');
  return await ended(child);
}

describe('the API process with traces', () => {
  it('puts a request below its caller’s span, named by its template, with its database below it', async () => {
    const child = await processes.start(
      traced({ OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' }),
    );
    const log = said(child, 'stdout');
    const url = await ready(child);
    const headers = { authorization: `Bearer ${session()}`, traceparent };
    await fetch(`${url}${organization}`, { headers });
    const span = await receiver.span((each) => server(each));
    expect(span).toMatchObject({
      traceId: parent.traceId,
      parentSpanId: parent.spanId,
      name: 'GET /api/v1/resources/{item}',
      attributes: {
        'http.request.method': 'GET',
        'http.response.status_code': 200,
        'url.path': organization,
      },
      failed: false,
      resource: {
        'service.name': 'platform-api',
        'service.version': expect.any(String),
        'deployment.environment.name': 'test',
      },
    });
    expect(span.attributes['http.route']).toBe(span.name.slice('GET '.length));
    const read = await receiver.span(({ name }) => name === 'resources.get');
    expect(read).toMatchObject({
      kind: 3,
      traceId: parent.traceId,
      parentSpanId: span.spanId,
      attributes: { 'db.system.name': 'postgresql' },
    });
    expect(await stop(child)).toBe(0);
    const lines = log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const own = lines.filter((line) => line.trace_id === parent.traceId);
    expect(own.map(({ message }) => message)).toContain('request');
    for (const line of own) expect(line.span_id).toMatch(/^[\da-f]{16}$/);
    expect(lines.find(({ message }) => message === 'ready')).not.toHaveProperty('trace_id');
  });

  it('gives every line of a request its trace, audit records too, and the statements of other areas a span', async () => {
    const child = await processes.start(traced());
    const log = said(child, 'stdout');
    const url = await ready(child);
    const headers = { authorization: `Bearer ${session()}`, 'content-type': 'application/json', traceparent };
    await fetch(`${url}/api/v1/resources/pending-deletion`, { headers });
    await fetch(`${url}/api/v1/projects`, { headers });
    await receiver.span(({ name }) => name === 'GET /api/v1/projects');
    const statement = await receiver.span(({ name }) => name === 'select projects');
    expect(statement.attributes).toEqual({
      'db.system.name': 'postgresql',
      'db.query.summary': 'select projects',
    });
    await stop(child);
    const lines = log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const audit = lines.find(({ message }) => message === 'resource.pending_deletion_listed');
    expect(audit).toMatchObject({ target: 'platform::audit', trace_id: parent.traceId });
  });

  it('sends nothing that a client sent but the path, and of that no credential', async () => {
    const child = await processes.start(traced());
    const url = await ready(child);
    const token = session();
    const secret = (place: string) => `hunter2-${place}`;
    const headers = {
      authorization: `Bearer ${token}`,
      cookie: `__Host-platform_session=${token}; c=${secret('cookie')}`,
      'user-agent': secret('agent'),
      referer: `http://x/?${secret('referer')}`,
      'x-request-id': secret('id'),
      'x-api-key': secret('key'),
      'x-forwarded-for': secret('forwarded'),
      'content-type': 'application/json',
      traceparent,
      baggage: `user=${secret('baggage')}`,
    };
    const ask = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, { headers, ...init });
    await ask(`${organization}?access_token=${token}&x=${secret('query')}`);
    await ask(`/api/v1/projects/${token}`);
    await ask(`/oidc/p/e/authorize?state=${secret('state')}&code_challenge=${secret('challenge')}`);
    await ask(`/oidc/callback?code=${secret('code')}&state=${secret('state')}`);
    await ask('/api/v1/auth/token', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=x&subject_token=${token}&${secret('form')}=1`,
    });
    await ask('/api/v1/resources/platform.dev/v1alpha1/organizations', {
      method: 'POST',
      body: JSON.stringify({ [secret('member')]: secret('value') }),
    });
    expect(await stop(child)).toBe(0);
    expect(receiver.spans.filter(server)).toHaveLength(6);
    expect(receiver.spans.find(({ name }) => name === 'GET /api/v1/projects/:project')).toMatchObject({
      attributes: { 'url.path': '/api/v1/projects/[redacted]' },
    });
    for (const found of ['hunter2', token, token.split('.')[1] as string, 'access_token']) {
      expect(receiver.wire.includes(found) ? found : null).toBeNull();
    }
    expect(JSON.stringify(receiver.spans)).not.toMatch(/cookie|authorization|user.agent|[?]/i);
  });

  it('shows requests to issuers, and does not tell them of the trace', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const issuer = createServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    await once(issuer, 'listening');
    const address = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
    const child = await processes.start(
      traced({
        PLATFORM__AUTH__CONTROLLERS: `[{id: ctrl.example.dev, issuer: "${address}", claims: {aud: x}}]`,
        PLATFORM__OUTBOUND__ALLOW_INSECURE_ORIGINS: `["${address}"]`,
      }),
    );
    const url = await ready(child);
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: address, aud: 'x', sub: 's', iat: now, exp: now + 60 };
    const token = [{ alg: 'RS256', kid: 'k' }, claims, 'signature']
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const headers = { authorization: `Bearer ${token}`, traceparent };
    expect((await fetch(`${url}${organization}`, { headers })).status).toBe(401);
    const request = await receiver.span(server);
    expect(
      await receiver.span(({ attributes }) => attributes['server.address'] === '127.0.0.1'),
    ).toMatchObject({
      name: 'GET',
      kind: 3,
      traceId: parent.traceId,
      parentSpanId: request.spanId,
      failed: true,
      attributes: { 'error.type': '500', 'url.scheme': 'http' },
    });
    await stop(child);
    await new Promise((resolve) => issuer.close(resolve));
    expect(seen.length).toBeGreaterThan(0);
    for (const each of seen) expect(Object.keys(each).join()).not.toMatch(/trace|baggage/);
  });

  it('makes no span of probes and scrapes', async () => {
    const child = await processes.start(traced());
    const url = await ready(child);
    for (const path of ['/healthz', '/readyz', '/metrics']) await fetch(`${url}${path}`);
    await stop(child);
    expect(receiver.spans.filter(server)).toEqual([]);
  });

  it('sends at SIGTERM what waits, also of a request that was still running', async () => {
    const child = await processes.start(traced({ OTEL_BSP_SCHEDULE_DELAY: '3600000' }));
    const url = await ready(child);
    await fetch(`${url}/api/v1/auth/none`);
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 12 };
    const running = send(`${url}/api/v1/auth/token`, {
      method: 'POST',
      headers: { ...form, expect: '100-continue' },
    });
    running.flushHeaders();
    await once(running, 'continue');
    expect(receiver.exports).toEqual([]);
    child.kill('SIGTERM');
    running.end('grant_type=x');
    const [answer] = await once(running, 'response');
    answer.resume();
    expect(await ended(child)).toBe(0);
    expect(receiver.spans.filter(server).map(({ name }) => name)).toEqual(['GET', 'POST /api/v1/auth/token']);
  });

  it.each([
    ['does not answer', () => ({})],
    ['is not there', () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })],
  ])('serves, stops in time and says so when the collector of traces %s', async (_how, changes) => {
    receiver.status = null;
    const child = await processes.start(
      traced({ OTEL_EXPORTER_OTLP_TIMEOUT: '50', OTEL_BSP_EXPORT_TIMEOUT: '50', ...changes() }),
    );
    const log = said(child, 'stdout');
    const warned = new Promise<void>((resolve) => {
      child.stdout?.on('data', () => log().includes('traces could not be exported') && resolve());
    });
    const url = await ready(child);
    for (let count = 0; count < 5; count += 1) {
      expect((await fetch(`${url}/api/v1/auth/none`)).status).toBe(404);
    }
    await warned;
    const begun = performance.now();
    expect(await stop(child)).toBe(0);
    expect(performance.now() - begun).toBeLessThan(10_000 * timeoutFactor);
    expect(log().match(/traces could not be exported/g)).toHaveLength(1);
  });

  it('does not start when something is asked for that is not supported', async () => {
    const child = await processes.start(
      traced({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'xray' }),
    );
    const errors = said(child, 'stderr');
    expect(await ended(child)).toBe(1);
    expect(errors()).toContain('OTEL_EXPORTER_OTLP_PROTOCOL: must be one of http/protobuf, http/json');
    expect(errors()).toContain('OTEL_TRACES_SAMPLER: must be one of ');
  });
});
