import { type Outbound, OutboundRefusedError, type SpanStart, type Tracer } from '@platform/kernel';
import type { Store } from '@platform/store-postgres';
import { summaryOf, traceOutbound, traceStore } from './traced.ts';

/** The record of one span. */
interface Recorded extends SpanStart {
  failure?: string;
}

function recordingTracer() {
  const spans: Recorded[] = [];
  const tracer: Tracer = {
    span(start, work) {
      const span: Recorded = { ...start };
      spans.push(span);
      return work({
        set: (attributes) => Object.assign(span, { attributes: { ...span.attributes, ...attributes } }),
        fail: (type) => {
          span.failure = type;
        },
      });
    },
  };
  return { tracer, spans };
}

describe('a traced transaction', () => {
  it('shows its statements, and returns their rows', async () => {
    const { tracer, spans } = recordingTracer();
    const sql = { rows: async () => [[1]] };
    const database = { ...sql, transaction: (work: (inner: typeof sql) => unknown) => work(sql) };
    const store = { reader: {}, writer: {}, definitions: {}, database } as unknown as Store;
    const traced = traceStore(tracer, store).database;
    const rows = await traced.transaction(async (inner) => [
      await inner.rows('select 1 from projects'),
      await inner.rows('delete from teams'),
    ]);
    expect(rows).toEqual([[[1]], [[1]]]);
    expect(spans.map(({ name }) => name)).toEqual(['transaction', 'select projects', 'delete teams']);
  });
});

describe('a traced request to a provider', () => {
  const url = 'https://me:hunter2@idp.example/token/hunter2?code=hunter2#hunter2';

  it('shows its origin and status, and nothing else of it', async () => {
    const { tracer, spans } = recordingTracer();
    const sent: unknown[] = [];
    const outbound: Outbound = {
      async request(request) {
        sent.push(request);
        return { status: 401, headers: { 'set-cookie': 'hunter2' }, body: Buffer.from('hunter2') };
      },
      getJson: async () => ({ hunter2: true }),
    };
    const request = { method: 'POST', url, headers: { Authorization: 'hunter2' }, body: 'hunter2' } as const;
    const traced = traceOutbound(tracer, outbound);
    expect(await traced.request(request)).toMatchObject({ status: 401 });
    expect(await traced.getJson('http://127.0.0.1:9000/jwks')).toEqual({ hunter2: true });
    const origin = { 'server.address': 'idp.example', 'server.port': 443, 'url.scheme': 'https' };
    expect(spans).toEqual([
      {
        name: 'POST',
        kind: 'client',
        attributes: { 'http.request.method': 'POST', ...origin, 'http.response.status_code': 401 },
        failure: '401',
      },
      {
        name: 'GET',
        kind: 'client',
        attributes: {
          'http.request.method': 'GET',
          'server.address': '127.0.0.1',
          'server.port': 9000,
          'url.scheme': 'http',
        },
      },
    ]);
    // Neither is anything added to it: no traceparent for a stranger.
    expect(sent).toEqual([request]);
  });

  it('hands on what was refused, also for a URL that is none', async () => {
    const { tracer, spans } = recordingTracer();
    const refusal = new OutboundRefusedError('bad_url', 'no');
    const outbound: Outbound = {
      request: () => Promise.reject(refusal),
      getJson: () => Promise.reject(refusal),
    };
    await expect(traceOutbound(tracer, outbound).getJson('hunter2')).rejects.toBe(refusal);
    expect(JSON.stringify(spans)).not.toContain('hunter2');
  });
});

it.each([
  ['select "uid" from "projects" where "name" = $1', 'select projects'],
  ['insert into oauth_flows (a) values ($1)', 'insert oauth_flows'],
  ['update "teams" set "name" = $1', 'update teams'],
  ['delete from one_time_values where x', 'delete one_time_values'],
  ['select (select count(*) from (select 1) x), "b" from "projects"', 'select projects'],
  ['with a as (select 1 from x) update teams set n = (select 1 from a)', 'update teams'],
  ['\n/* select teams */ select name from (select name from resources) as page', 'select teams'],
  ['select 1', 'select'],
  ['begin', 'statement'],
])('the statement %s is summed up as %s', (text, summary) => {
  expect(summaryOf(text)).toBe(summary);
});
