import { randomUUID } from 'node:crypto';
import { buildOnce, OtlpReceiver, testDatabase } from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import { CollectorProcess } from './collector-process.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });
let receiver: OtlpReceiver;
let collector: CollectorProcess;

beforeAll(() => buildOnce(), 300_000);

beforeEach(async () => {
  receiver = await OtlpReceiver.open();
});

afterEach(async () => {
  collector.child.kill('SIGKILL');
  await collector.ended();
  await receiver.close();
});

/** A tombstone with a live child. */
async function givenTombstone(): Promise<void> {
  const [root, child] = [randomUUID(), randomUUID()];
  await database.sql`
    insert into resources (uid, parent_uid, api_version, kind, name, discriminator) values
      (${root}, null, 'example.dev/v1', 'Node', 'root', 'root0000'),
      (${child}, ${root}, 'example.dev/v1', 'Node', 'child', 'child000')`;
  await database.sql`update resources set deletion_timestamp = now(), revision = revision + 1 where uid = ${root}`;
}

describe('the collector with traces', () => {
  it('shows a run with its counts, its batches below it, and their audit records in the same trace', async () => {
    await givenTombstone();
    collector = new CollectorProcess(database.url, {
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '10',
    });
    const run = await receiver.span(({ name }) => name === 'collector.run');
    expect(run).toMatchObject({
      parentSpanId: null,
      kind: 1,
      failed: false,
      attributes: {
        'platform.run.outcome': 'done',
        'platform.run.removed': 2,
        'platform.run.tombstoned': 1,
        'platform.run.refused': 0,
        'platform.run.stuck': 0,
      },
      resource: { 'service.name': 'platform-collector' },
    });
    const batches = receiver.spans.filter(({ name }) => name === 'collector.batch');
    expect(batches).toHaveLength(run.attributes['platform.run.batches'] as number);
    for (const batch of batches) {
      expect(batch).toMatchObject({ kind: 3, traceId: run.traceId, parentSpanId: run.spanId });
      expect(batch.attributes).toMatchObject({ 'platform.batch.outcome': 'committed' });
    }
    const removed = batches.map(({ attributes }) => attributes['platform.batch.removed'] as number);
    expect(removed.reduce((sum, rows) => sum + rows, 0)).toBe(2);
    expect(await collector.logged('resource.deletion_cascaded')).toMatchObject({ trace_id: run.traceId });
  });

  it('sends at SIGTERM what waits', async () => {
    await givenTombstone();
    collector = new CollectorProcess(database.url, {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '3600000',
    });
    await collector.logged('resource.deletion_cascaded');
    expect(receiver.exports).toEqual([]);
    collector.child.kill('SIGTERM');
    expect(await collector.ended()).toBe(0);
    expect(receiver.spans.map(({ name }) => name)).toContain('collector.batch');
  });

  it('shows a failed run as failed', async () => {
    collector = new CollectorProcess(database.url, {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '10',
      PLATFORM__COLLECTOR__POLL_INTERVAL_MS: '100',
    });
    await receiver.span(({ name }) => name === 'collector.run');
    await database.sql`alter table resources rename to elsewhere`;
    const failed = await receiver.span(({ name, failed }) => name === 'collector.run' && failed);
    await database.sql`alter table elsewhere rename to resources`;
    expect(failed.attributes['error.type']).toMatch(/^[\w.]+$/);
  });
});
