import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { TracingSettings } from '@platform/config';
import { OtlpReceiver, timeoutFactor } from '@platform/development/testing';
import { OutboundError, Problem } from '@platform/kernel';
import { generate } from 'selfsigned';
import { tracingFixture } from '../../test/tracing-fixture.ts';

const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const header = (flags: '00' | '01') => ({ traceparent: `00-${parent.traceId}-${parent.spanId}-${flags}` });

const fixture = tracingFixture();
const { start } = fixture;

/** Creates a self-signed certificate for loopback, with its key. */
async function selfSigned(name: string): Promise<{ readonly cert: string; readonly key: string }> {
  const pems = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  return { cert: pems.cert, key: pems.private };
}

const step = { name: 'step', kind: 'internal' } as const;

describe('spans', () => {
  it.each(['http/protobuf', 'http/json'] as const)('are exported completely as %s', async (protocol) => {
    const tracing = await start({ protocol, headers: { 'x-tenant': 't 1' } });
    const request = tracing.request(header('01'), true);
    await new Promise<void>((done) => {
      request.run(() => {
        void tracing
          .span({ name: 'ask', kind: 'client', attributes: { count: 3, yes: true } }, async () => 'x')
          .then(() => done());
      });
    });
    request.set({ 'http.route': '/x' });
    request.fail('unavailable');
    request.end('GET /x');
    await tracing.close();
    const [ask, served] = fixture.receiver.spans;
    expect(served).toMatchObject({
      traceId: parent.traceId,
      parentSpanId: parent.spanId,
      name: 'GET /x',
      kind: 2,
      attributes: { 'http.route': '/x', 'error.type': 'unavailable' },
      failed: true,
      resource: { 'service.name': 'test', 'telemetry.sdk.language': 'nodejs' },
    });
    expect(ask).toMatchObject({
      traceId: parent.traceId,
      parentSpanId: served?.spanId,
      name: 'ask',
      kind: 3,
      attributes: { count: 3, yes: true },
      failed: false,
    });
    const type = protocol === 'http/json' ? 'application/json' : 'application/x-protobuf';
    expect(fixture.receiver.exports[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'content-type': type, 'x-tenant': 't 1' },
    });
  });

  it('can be compressed', async () => {
    const tracing = await start({ compression: 'gzip' });
    await tracing.span(step, async () => undefined);
    await tracing.close();
    expect(fixture.receiver.exports[0]?.headers['content-encoding']).toBe('gzip');
    expect(fixture.receiver.spans).toHaveLength(1);
  });

  it('nest by async context, also when other spans run concurrently', async () => {
    const tracing = await start();
    const family = (name: string) =>
      tracing.span({ ...step, name }, async () => {
        await new Promise(setImmediate);
        await tracing.span({ ...step, name: `${name} child` }, async () => new Promise(setImmediate));
      });
    await Promise.all([family('a'), family('b')]);
    await tracing.close();
    const by = Object.fromEntries(fixture.receiver.spans.map((span) => [span.name, span]));
    for (const name of ['a', 'b']) expect(by[`${name} child`]?.parentSpanId).toBe(by[name]?.spanId);
    expect(by['a']?.traceId).not.toBe(by['b']?.traceId);
  });

  it('provide their ids for log lines while they run', async () => {
    const tracing = await start();
    expect(tracing.current()).toBeNull();
    const seen = await tracing.span(step, async () => tracing.current());
    await tracing.close();
    expect(seen).toEqual({
      trace_id: fixture.receiver.spans[0]?.traceId,
      span_id: fixture.receiver.spans[0]?.spanId,
    });
  });

  it.each([
    ['the code of a problem', new Problem('contention', 'secret detail'), 'contention'],
    ['the reason of an outbound request', new OutboundError('timeout', 'secret detail'), 'timeout'],
    ['the code of Node.js', Object.assign(new Error('secret detail'), { code: 'ECONNRESET' }), 'ECONNRESET'],
    ['the class of any other', new TypeError('secret detail'), 'TypeError'],
    ['nothing of a code that is not a word', { code: 'secret detail' }, '_OTHER'],
    ['the fallback for no error at all', undefined, '_OTHER'],
  ])('fail with %s, rethrow the error, and do not export its message', async (_name, error, type) => {
    const tracing = await start();
    await expect(tracing.span(step, () => Promise.reject(error))).rejects.toBe(error);
    await tracing.close();
    expect(fixture.receiver.spans[0]).toMatchObject({ failed: true, attributes: { 'error.type': type } });
    expect(fixture.receiver.wire).not.toContain('secret detail');
  });

  it('hold values of at most 1,024 characters', async () => {
    const tracing = await start();
    await tracing.span({ ...step, attributes: { path: 'x'.repeat(30_000) } }, async () => undefined);
    await tracing.close();
    expect(fixture.receiver.spans[0]?.attributes['path']).toHaveLength(1_024);
  });
});

describe('with TLS', () => {
  it('trusts the given authority alone, and presents the given certificate', async () => {
    const [theirs, ours] = [await selfSigned('collector'), await selfSigned('platform')];
    const secure = await OtlpReceiver.open({ ...theirs, ca: ours.cert, requestCert: true });
    // A refused handshake is tried again until the timeout.
    const send = async (tls: TracingSettings['tls'], timeoutMs = 300) => {
      const tracing = await start({ url: `${secure.url}/v1/traces`, tls, timeoutMs });
      await tracing.span(step, async () => undefined);
      await tracing.close();
      return secure.spans.length;
    };
    try {
      expect(await send({ ...ours })).toBe(0);
      expect(await send({ ca: theirs.cert })).toBe(0);
      expect(await send({ ca: theirs.cert, ...ours }, 10_000)).toBe(1);
    } finally {
      await secure.close();
    }
  });
});

describe('a failing collector', () => {
  const small = {
    scheduledDelayMillis: 5,
    exportTimeoutMillis: 30_000,
    maxQueueSize: 4,
    maxExportBatchSize: 2,
  };

  it('is reported once, only with the message, and fails no work', async () => {
    fixture.receiver.status = 400;
    const tracing = await start({ batch: small });
    for (let round = 0; round < 3; round += 1) {
      expect(await tracing.span(step, async () => round)).toBe(round);
      await fixture.receiver.export(round);
    }
    await tracing.close();
    expect(fixture.failures).toHaveLength(1);
    expect(fixture.failures[0]).toEqual([expect.stringMatching(/^Bad Request$/), 0]);
  });

  it('makes the exporter drop spans when the queue is full', async () => {
    const tracing = await start({
      batch: { ...small, scheduledDelayMillis: 3_600_000, maxExportBatchSize: 4 },
      timeoutMs: 500,
    });
    fixture.receiver.status = null;
    for (let count = 0; count < 100; count += 1) await tracing.span(step, async () => count);
    // Four are being exported, four are queued.
    await tracing.close();
    expect(fixture.receiver.exports.length).toBeLessThanOrEqual(2);
  });

  it('delays closing by at most two seconds when it does not respond', async () => {
    fixture.receiver.status = null;
    const tracing = await start({ timeoutMs: 2_500 });
    await tracing.span(step, async () => undefined);
    const begun = performance.now();
    await tracing.close();
    const waited = performance.now() - begun;
    fixture.running = [];
    expect(waited).toBeGreaterThan(1_900);
    expect(waited).toBeLessThan(5_000 * timeoutFactor);
  });

  it('does not delay closing when it is not running', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const tracing = await start({ url: `http://127.0.0.1:${port}/v1/traces`, timeoutMs: 100 });
    await tracing.span(step, async () => undefined);
    await tracing.close();
    expect(fixture.failures[0]?.[0]).toContain('ECONNREFUSED');
  });
});
