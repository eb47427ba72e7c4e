import type { DocumentedOperation } from '../openapi/operations.ts';

/** A request as bytes on a socket, with a name for messages. */
export interface HostileRequest {
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Values for a parameter of a path. */
const values = [
  '%00',
  '%ff',
  '%c0%ae%c0%ae',
  '..',
  '%2e%2e%2f%2e%2e',
  '__proto__',
  "x'--",
  '99999999999999999999',
  '00000000-0000-4000-8000-000000000000',
  'a'.repeat(300),
];

const nested = (open: string, close: string) => `${open.repeat(50_000)}1${close.repeat(50_000)}`;
const bodies: Readonly<Record<string, string | Buffer>> = {
  nothing: '',
  'half an object': '{"name":',
  'a list': '[]',
  null: 'null',
  'a NUL byte': '\0',
  'bad UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'half a surrogate pair': '{"name":"\\ud800","plaintext":"\\udfff"}',
  'a member twice': '{"name":"a","name":"b"}',
  'prototype keys': '{"__proto__":{"admin":true},"constructor":{"prototype":{}},"name":{"toString":1}}',
  'NUL characters':
    '{"name":"a\\u0000","project":"\\u0000","token":"\\u0000","user":"\\u0000","path":"\\u0000"}',
  'numbers out of range':
    '{"name":1e999,"overlap_seconds":-1e400,"lifetime_seconds":99999999999999999999,"metadata":{"revision":1e309}}',
  'times out of range': '{"name":"a","environment":"production","expires_at":"99999-99-99T99:99:99Z"}',
  'nested lists': nested('[', ']'),
  'nested objects': nested('{"a":', '}'),
  'more than the limit': `{"a":"${'x'.repeat(1_100_000)}"}`,
};

const types = [
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/yaml',
  'multipart/form-data',
  'application/json; charset=utf-16',
];

const queries = [
  'limit=-1',
  'limit=99999999999999999999',
  'limit=1e3',
  'limit=1&limit=2',
  'continue=AAAA',
  `continue=${'A'.repeat(5_000)}`,
  'continue=%ff',
  'since=9999-99-99T99:99:99Z&until=-1',
  'labelSelector=%00&fieldSelector=%00&q=%00',
  ...['metadata.name%3D%00', 'metadata.uid!=%00', 'metadata.ownerReferences.uid=a%00'].map(
    (fields) => `fieldSelector=${fields}`,
  ),
  'q=a&kind=Widget.%00',
  'dryRun=true&plan=%00',
  'since=0000-01-01T00:00:00Z',
  'until=9999-12-31T23:59:59-23:59',
  'since=2026-02-30T00:00:00Z',
  ...['0000-01-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z'].map(
    (time) => `continue=${Buffer.from(`${time} 00000000-0000-4000-8000-000000000000`).toString('base64url')}`,
  ),
  'dryRun=%00&watch=%00&resourceVersion=-1',
  '__proto__[x]=1&constructor=1',
  '%',
  Array.from({ length: 10_000 }, (_, index) => `a${index}`)
    .join('&')
    .slice(0, 30_000),
];

/** Every hostile request at a path: every method, every value of a parameter, and to what is documented every query and body. */
export function hostileRequests(
  template: string,
  operations: readonly Pick<DocumentedOperation, 'method'>[],
): readonly HostileRequest[] {
  const fill = (value: string) => template.replace(/\{\w+\}/g, value);
  const made = (
    name: string,
    method: string,
    target: string,
    type: string | null = null,
    body: string | Buffer = '',
  ) => ({
    name: `${method} ${target.slice(0, 120)} ${name}`,
    method,
    target,
    body: Buffer.from(body),
    headers: type === null || type === '' ? [] : [`Content-Type: ${type}`],
  });
  const here = [...new Set(operations.map(({ method }) => method))];
  return [
    ...methods.map((method) => made('', method, fill('x'))),
    ...(template.includes('{')
      ? here.flatMap((method) => values.map((value) => made('', method, fill(value))))
      : []),
    ...here.flatMap((method) => queries.map((query) => made('', method, `${fill('x')}?${query}`))),
    ...here
      .filter((method) => method !== 'GET')
      .flatMap((method) => [
        ...Object.entries(bodies).map(([name, body]) =>
          made(`with ${name}`, method, fill('x'), 'application/json', body),
        ),
        ...types.map((type) => made(`as ${type || 'nothing'}`, method, fill('x'), type, '{"name":"a"}')),
      ]),
  ];
}

const steps = ['/..', '/%2e%2e', '/.%2E', '/%2e%2e%2f..', '\\..', '%5c..', '/.', '/x/..'];

/** Ways to write a path of an endpoint below another one, which a proxy may pass that knows the beginning alone. */
export function detours(from: string, to: string): readonly string[] {
  const depth = from.split('/').length - 1;
  return steps.map((step) => `${from}${step.repeat(depth)}${to}`);
}
