import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOnce, OtlpReceiver, type ReceivedSpan, testDatabase } from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import { ApiProcesses, ended, ready } from './api-process.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });
const processes = new ApiProcesses(() => database.url);
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

const server = (span: ReceivedSpan) => span.kind === 2;

async function stop(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM');
  return await ended(child);
}

describe('OpenTelemetry', () => {
  const probe = join(tmpdir(), `loaded-${process.pid}.cjs`);

  // Asked over the channel, the process tells how many of its modules are of the SDK; all of those are CommonJS. The API package is there in
  // any case, as prom-client loads it.
  beforeAll(() =>
    writeFileSync(
      probe,
      `process.on('message', (message) => message === 'loaded' &&
        process.send({ loaded: Object.keys(require.cache).filter((path) => /@opentelemetry\\/(?!api\\/)/.test(path)).length }));`,
    ),
  );
  afterAll(() => rmSync(probe));

  async function loadedBy(child: ChildProcess): Promise<number> {
    child.send('loaded');
    const [answer] = await once(child, 'message');
    return answer.loaded;
  }

  async function loaded(changes: Record<string, string>): Promise<number> {
    const child = await processes.start(changes, ['--require', probe]);
    const url = await ready(child);
    await fetch(`${url}/api/v1/auth/none`, { headers: { traceparent } });
    return await loadedBy(child);
  }

  it.each([
    ['unless it is switched on', {}],
    ['when it is disabled', { OTEL_SDK_DISABLED: 'true', OTEL_TRACES_EXPORTER: 'otlp' }],
  ])('is not loaded %s', async (_when, changes) => {
    expect(await loaded(changes)).toBe(0);
  });

  it('is loaded when it is switched on, as the probe sees', async () => {
    expect(
      await loaded({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }),
    ).toBeGreaterThan(20);
  });

  it('is not loaded by a primary that only looks after workers, but by them', async () => {
    const child = await processes.start(traced({ PLATFORM__SERVER__WORKERS: '2' }), ['--require', probe]);
    const url = await ready(child);
    await fetch(`${url}/api/v1/auth/none`);
    expect(await loadedBy(child)).toBe(0);
    expect(await stop(child)).toBe(0);
    expect(receiver.spans.filter(server)).toHaveLength(1);
  });
});
