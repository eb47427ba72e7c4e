import type { TracingSettings } from '@platform/config';
import { OtlpReceiver } from '@platform/development/testing';
import { startTracing, type Tracing } from '../src/tracing/tracing.ts';

/** A receiver of spans for each test, and tracing that sends to it. Call it at the top of a file. */
export function tracingFixture() {
  const fixture = {
    receiver: undefined as unknown as OtlpReceiver,
    failures: [] as [string, number][],
    /** Closed after the test. */
    running: [] as Tracing[],
    start,
  };

  beforeEach(async () => {
    fixture.receiver = await OtlpReceiver.open();
    fixture.failures = [];
  });

  afterEach(async () => {
    await Promise.all(fixture.running.map((tracing) => tracing.close()));
    fixture.running = [];
    await fixture.receiver.close();
  });

  async function start(changes: Partial<TracingSettings> = {}): Promise<Tracing> {
    const reported = fixture.failures;
    const tracing = await startTracing(
      {
        protocol: 'http/protobuf',
        url: `${fixture.receiver.url}/v1/traces`,
        headers: {},
        compression: 'none',
        timeoutMs: 10_000,
        tls: {},
        resource: { 'service.name': 'test' },
        sampler: { followParent: true, ratio: 1 },
        acceptParents: true,
        // By default spans are exported only when tracing is closed.
        batch: {
          scheduledDelayMillis: 3_600_000,
          exportTimeoutMillis: 30_000,
          maxQueueSize: 2_048,
          maxExportBatchSize: 512,
        },
        ...changes,
      },
      (reason, skipped) => reported.push([reason, skipped]),
    );
    fixture.running.push(tracing);
    return tracing;
  }

  return fixture;
}
