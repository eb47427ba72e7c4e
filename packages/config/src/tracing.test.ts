import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTracing } from './tracing.ts';
import { type TracingVariable, tracingVariables } from './tracing-settings.ts';

type Variables = Readonly<Partial<Record<TracingVariable, string>>>;

const cwd = mkdtempSync(join(tmpdir(), 'tracing-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const on = { OTEL_TRACES_EXPORTER: 'otlp' } as const;
const settings = (variables: Variables = {}) => {
  const { tracing, faults } = readTracing({ ...on, ...variables }, cwd);
  expect(faults).toEqual([]);
  if (tracing === null) throw new Error('traces are off');
  return tracing;
};
const faultsOf = (variables: Variables) => {
  const { tracing, faults } = readTracing({ ...on, ...variables }, cwd);
  expect(tracing).toBeNull();
  return faults.map(({ key, message }) => `${key}: ${message}`);
};

describe('traces', () => {
  it.each<[string, boolean, Variables]>([
    ['no variable is set', false, {}],
    ['the exporter is set', true, on],
    ['an endpoint is set', true, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }],
    ['an endpoint of traces is set', true, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/x' }],
    [
      'the exporter is none',
      false,
      { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c' },
    ],
    ['all of it is disabled', false, { ...on, OTEL_SDK_DISABLED: 'TRUE' }],
    ['it is not disabled', true, { ...on, OTEL_SDK_DISABLED: 'false' }],
    ['variables are set to nothing', false, { OTEL_TRACES_EXPORTER: '', OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
    ['only other things are set', false, { OTEL_SERVICE_NAME: 'x', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }],
  ])('when %s: %s', (_when, expected, variables) => {
    const { tracing, faults } = readTracing(variables, cwd);
    expect(faults).toEqual([]);
    expect(tracing !== null).toBe(expected);
  });

  it('that are off are not checked', () => {
    const bad = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'x' };
    expect(readTracing(bad, cwd)).toEqual({ tracing: null, faults: [] });
    expect(readTracing({ ...on, ...bad, OTEL_SDK_DISABLED: 'true' }, cwd).faults).toEqual([]);
  });

  it('have the defaults of the standard', () => {
    expect(settings()).toEqual({
      protocol: 'http/protobuf',
      url: 'http://localhost:4318/v1/traces',
      headers: {},
      compression: 'none',
      timeoutMs: 10_000,
      tls: {},
      resource: {},
      sampler: { followParent: true, ratio: 1 },
      acceptParents: true,
      batch: {
        scheduledDelayMillis: 5_000,
        exportTimeoutMillis: 30_000,
        maxQueueSize: 2_048,
        maxExportBatchSize: 512,
      },
    });
  });

  it.each<[string, Variables]>([
    ['http://c:4318/v1/traces', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }],
    ['http://c:4318/v1/traces', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' }],
    ['https://c/otlp/v1/traces', { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/otlp/' }],
    ['https://c/', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c' }],
    [
      'https://c/as/it/is',
      {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/as/it/is',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://other:4318',
      },
    ],
  ])('go to %s', (url, variables) => {
    expect(settings(variables).url).toBe(url);
  });

  it('take what is set for traces alone before what is set for all', () => {
    const { protocol, compression, timeoutMs, headers } = settings({
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'none',
      OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_TIMEOUT: '1',
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '2',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=all, x-scope = a%2Cb',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'api-key=traces',
    });
    expect([protocol, compression, timeoutMs]).toEqual(['http/json', 'gzip', 2]);
    expect(headers).toEqual({ 'api-key': 'traces', 'x-scope': 'a,b' });
  });

  it('name the service, which goes before the attribute of that name', () => {
    const { resource } = settings({
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,deployment.environment.name=prod%20eu',
      OTEL_SERVICE_NAME: 'b',
    });
    expect(resource).toEqual({ 'service.name': 'b', 'deployment.environment.name': 'prod eu' });
  });

  it.each<[string, string | undefined, boolean, number]>([
    ['always_on', undefined, false, 1],
    ['always_off', undefined, false, 0],
    ['traceidratio', '0.25', false, 0.25],
    ['traceidratio', undefined, false, 1],
    ['parentbased_always_on', '0.5', true, 1],
    ['parentbased_always_off', undefined, true, 0],
    ['parentbased_traceidratio', '.1', true, 0.1],
  ])('are sampled by %s %s', (name, share, followParent, ratio) => {
    const { sampler } = settings({
      OTEL_TRACES_SAMPLER: name,
      ...(share === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: share }),
    });
    expect(sampler).toEqual({ followParent, ratio });
  });

  it.each([
    ['tracecontext', true],
    ['tracecontext, baggage', true],
    ['baggage', false],
    ['none', false],
  ])('with the propagators %s accept parents: %s', (OTEL_PROPAGATORS, expected) => {
    expect(settings({ OTEL_PROPAGATORS }).acceptParents).toBe(expected);
  });

  it('read certificates and keys, from where the process runs', () => {
    writeFileSync(join(cwd, 'ca.pem'), 'authority');
    writeFileSync(join(cwd, 'key.pem'), 'mine');
    const { tls } = settings({
      OTEL_EXPORTER_OTLP_CERTIFICATE: 'ca.pem',
      OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: join(cwd, 'key.pem'),
      OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: 'ca.pem',
    });
    expect(tls).toEqual({ ca: 'authority', key: 'mine', cert: 'authority' });
  });

  it.each<[string, Variables]>([
    ['OTEL_TRACES_EXPORTER: must be one of otlp, none', { OTEL_TRACES_EXPORTER: 'zipkin' }],
    ['OTEL_TRACES_EXPORTER: must be one of otlp, none', { OTEL_TRACES_EXPORTER: 'otlp,console' }],
    [
      'OTEL_EXPORTER_OTLP_PROTOCOL: must be one of http/protobuf, http/json',
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    ],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT: must be an http:// or https:// URL',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'c:4318' },
    ],
    [
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: must not hold a user or password; OTEL_EXPORTER_OTLP_HEADERS is the place for credentials',
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://me:hunter2@c/' },
    ],
    ['OTEL_EXPORTER_OTLP_COMPRESSION: must be one of none, gzip', { OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd' }],
    [
      'OTEL_EXPORTER_OTLP_TIMEOUT: must be a whole number from 1 to 2147483647',
      { OTEL_EXPORTER_OTLP_TIMEOUT: '10s' },
    ],
    [
      'OTEL_EXPORTER_OTLP_HEADERS: holds a header that cannot be sent',
      { OTEL_EXPORTER_OTLP_HEADERS: 'a=b%0Ac' },
    ],
    [
      'OTEL_EXPORTER_OTLP_HEADERS: must be key=value pairs, separated by commas',
      { OTEL_EXPORTER_OTLP_HEADERS: 'Bearer hunter2' },
    ],
    [
      'OTEL_RESOURCE_ATTRIBUTES: holds a % that begins no percent-encoding; a % itself is written %25',
      { OTEL_RESOURCE_ATTRIBUTES: 'a=5%' },
    ],
    [
      'OTEL_EXPORTER_OTLP_CERTIFICATE: names a file that cannot be read (ENOENT)',
      { OTEL_EXPORTER_OTLP_CERTIFICATE: 'nowhere.pem' },
    ],
    [
      'OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1',
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '1.5' },
    ],
    [
      'OTEL_PROPAGATORS: must be a list of tracecontext, baggage, none',
      { OTEL_PROPAGATORS: 'tracecontext,b3' },
    ],
    [
      'OTEL_BSP_SCHEDULE_DELAY: must be a whole number from 1 to 2147483647',
      { OTEL_BSP_SCHEDULE_DELAY: '0' },
    ],
    [
      'OTEL_BSP_MAX_EXPORT_BATCH_SIZE: must not be above OTEL_BSP_MAX_QUEUE_SIZE',
      { OTEL_BSP_MAX_QUEUE_SIZE: '10', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '11' },
    ],
  ])('are refused with %s', (fault, variables) => {
    expect(faultsOf(variables)).toEqual([fault]);
  });

  it('are refused for every fault at once', () => {
    const bad = {
      OTEL_TRACES_EXPORTER: 'zipkin',
      OTEL_TRACES_SAMPLER: 'xray',
      OTEL_BSP_EXPORT_TIMEOUT: '-1',
      OTEL_PROPAGATORS: 'jaeger',
    };
    expect(faultsOf(bad)).toHaveLength(4);
  });
});

it('docs/tracing.md explains every variable that is read, and no other', () => {
  const page = readFileSync(new URL('../../../docs/tracing.md', import.meta.url), 'utf8');
  const explained = [...page.matchAll(/^\| (`OTEL_[^|]*) \|/gm)].flatMap(([, cell = '']) =>
    cell.match(/OTEL_\w+/g),
  );
  expect(explained.sort()).toEqual([...tracingVariables].sort());
});
