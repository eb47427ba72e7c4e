import type { TracingSettings } from '@platform/config';
import { tracingFixture } from '../../test/tracing-fixture.ts';

const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const header = (flags: '00' | '01') => ({ traceparent: `00-${parent.traceId}-${parent.spanId}-${flags}` });

const fixture = tracingFixture();
const { start } = fixture;

describe('sampling', () => {
  async function arrived(
    sampler: TracingSettings['sampler'],
    headers: Record<string, string>,
    { acceptParents = true, trusted = true } = {},
  ) {
    const tracing = await start({ sampler, acceptParents });
    const span = tracing.request(headers, trusted);
    span.end('r');
    await tracing.close();
    return { span, received: fixture.receiver.spans[0] };
  }

  it('follows the parent if configured', async () => {
    const { span, received } = await arrived({ followParent: true, ratio: 1 }, header('00'));
    expect(received).toBeUndefined();
    // Log lines can still be found by the trace id of the caller.
    expect(span.ids.trace_id).toBe(parent.traceId);
    expect((await arrived({ followParent: true, ratio: 0 }, header('01'))).received).toBeDefined();
  });

  it('uses only the ratio if parents are not followed', async () => {
    expect((await arrived({ followParent: false, ratio: 0 }, header('01'))).received).toBeUndefined();
    expect((await arrived({ followParent: false, ratio: 1 }, header('00'))).received).toBeDefined();
  });

  it('is decided here for callers that are not trusted, who choose their trace ids and flags', async () => {
    // Below every ratio that is not 0, so that a sampler that looks at the id takes it.
    const low = { traceparent: `00-${'0'.repeat(31)}1-${parent.spanId}-01` };
    for (const headers of [header('01'), low]) {
      const { span, received } = await arrived({ followParent: true, ratio: 1e-9 }, headers, {
        trusted: false,
      });
      expect(received).toBeUndefined();
      expect(headers.traceparent).toContain(span.ids.trace_id);
    }
    const hidden = await arrived({ followParent: true, ratio: 1 }, header('00'), { trusted: false });
    expect(hidden.received).toMatchObject({ traceId: parent.traceId, parentSpanId: parent.spanId });
  });

  it('samples the configured share of the traces', async () => {
    const tracing = await start({ sampler: { followParent: true, ratio: 0.25 } });
    for (let count = 0; count < 2_000; count += 1) tracing.request({}, false).end('r');
    await tracing.close();
    expect(fixture.receiver.spans.length).toBeGreaterThan(350);
    expect(fixture.receiver.spans.length).toBeLessThan(650);
  });

  it.each([
    ['no traceparent', {}],
    ['a malformed traceparent', { traceparent: '00-zz-zz-01' }],
    ['a trace id of zeros', { traceparent: `00-${'0'.repeat(32)}-${parent.spanId}-01` }],
    ['upper case', { traceparent: header('01').traceparent.toUpperCase() }],
  ])('starts a new trace for %s', async (_name, headers) => {
    const { received } = await arrived({ followParent: true, ratio: 1 }, headers);
    expect(received).toMatchObject({ parentSpanId: null, traceId: expect.stringMatching(/^[\da-f]{32}$/) });
    expect(received?.traceId).not.toBe(parent.traceId);
  });

  it('starts a new trace if parents are not accepted', async () => {
    const { received } = await arrived({ followParent: true, ratio: 1 }, header('01'), {
      acceptParents: false,
    });
    expect(received?.parentSpanId).toBeNull();
  });
});
