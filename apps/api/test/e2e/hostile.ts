import fc from 'fast-check';
import {
  hostileBody,
  hostileCreation,
  hostileDefinition,
  hostileReplacement,
  hostileSubresource,
} from './hostile-bodies.ts';

/** Bytes for a socket. */
export interface Attack {
  readonly head: string;
  readonly body: Buffer;
  /** Whether it is one sound request, which has to be answered. */
  readonly whole: boolean;
  /** Whether the server may still be waiting for more of it when all was sent. */
  readonly unfinished: boolean;
}

/** Stands in a path for the uid of the item, which is another one whenever an attack has deleted it. */
export const uidOfItem = 'UID-OF-ITEM';

/** The targets of the attacks. */
export interface Prey {
  /** The path of a collection, e.g. `/api/v1/resources/{group}/{version}/{plural}`, and of an item in it. */
  readonly collection: string;
  readonly item: string;
  /** Bearer tokens that get in, and some that do not. */
  readonly bearers: readonly string[];
}

const oddSegment = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '',
    '%',
    '%00',
    '%ff',
    '%c0%af',
    '%2f',
    '%2e%2e',
    '%u0041',
    '%EF%BB%BF',
    '*',
    '\\',
    ';',
    '__proto__',
  ),
  fc.constantFrom(
    'status',
    'finalizers',
    'deletion-blockers',
    'pending-deletion',
    'uid:',
    'uid:x',
    'UID:',
    'constructor',
  ),
  fc.constantFrom('x'.repeat(254), `${'a.'.repeat(126)}a`, 'é', '\u0001', '"', '<svg>', '{x}', '$1', "'--"),
  fc.string({ maxLength: 16, unit: 'grapheme' }).map((text) => encodeURIComponent(text)),
);

const pathOf = ({ collection, item }: Prey): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(item, collection, `${collection}/uid:${uidOfItem}`) },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions',
            '/api/v1/resources/platform.dev/v1alpha1/organizations/default',
            '/api/v1/resources/pending-deletion',
          ),
        },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            '',
            '/',
            '/api/v1/resources',
            '/healthz',
            '/metrics',
            '//',
            'http://other.example/x',
            '*',
          ),
        },
      ),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant<string[]>([]) },
        { weight: 2, arbitrary: fc.array(oddSegment, { maxLength: 3 }) },
        {
          weight: 1,
          arbitrary: fc
            .tuple(oddSegment, fc.constantFrom(40, 2000))
            .map(([one, times]) => Array(times).fill(one)),
        },
      ),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant('') },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            '?limit=0',
            '?limit=1e3',
            '?limit=%00',
            '?continue=%ff',
            '?continue=AAAA',
            '?slot=%00',
            '?slot=__proto__',
            '?%',
            '?limit=1&limit=2',
            '?[]=1',
          ),
        },
      ),
    )
    .map(([start, segments, query]) => [start, ...segments].join('/') + query);

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PUT', 'DELETE') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'HEAD',
      'OPTIONS',
      'PATCH',
      'TRACE',
      'CONNECT',
      'PROPFIND',
      'get',
      'BREW',
      'M-SEARCH',
    ),
  },
);

const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'application/json; charset=utf-16',
      'application/json; charset=',
      'APPLICATION/JSON;;',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/__proto__',
      '/',
      '',
    ),
  },
);

const oddHeader = fc.constantFrom(
  'Content-Encoding: gzip',
  'Content-Encoding: br, gzip, __proto__',
  'Expect: 100-continue',
  'Expect: the-unexpected',
  'If-Match: "0", *',
  'Range: bytes=0-18446744073709551615',
  'Accept: application/xml;q=1e400',
  'Accept-Encoding: identity;q=0, *;q=0',
  'X-Forwarded-For: 1.2.3.4, __proto__',
  'X-Forwarded-Proto: javascript',
  'X-Http-Method-Override: DELETE',
  'X-Request-Id: "><script>alert(1)</script>',
  `X-Request-Id: ${'r'.repeat(4000)}`,
  'Cookie: platform_session=x; __proto__=y; =; a',
  `Cookie: ${'a=b; '.repeat(900)}`,
  'Origin: null',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Host: other.example',
  'Transfer-Encoding: identity',
  'Content-Length: 0',
  'Connection: keep-alive, close, __proto__',
  ' folded: line',
  'no colon at all',
  ': empty',
  `X-Many: ${'y'.repeat(20_000)}`,
);

type Framing = 'length' | 'chunked' | 'tooShort' | 'tooLong' | 'badChunk' | 'both' | 'negative';
const framing = fc.oneof(
  { weight: 15, arbitrary: fc.constantFrom<Framing[]>('length', 'length', 'chunked') },
  { weight: 1, arbitrary: fc.constantFrom<Framing[]>('tooShort', 'tooLong', 'badChunk', 'both', 'negative') },
);

interface Aim {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
}

const definitions = '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions';

/** A request that goes where its body belongs. */
const aimed = ({ collection, item }: Prey): fc.Arbitrary<Aim> => {
  const at = (verb: string, path: string, body: fc.Arbitrary<Buffer>): fc.Arbitrary<Aim> =>
    fc.record({ method: fc.constant(verb), path: fc.constant(path), body });
  return fc.oneof(
    at('POST', collection, hostileCreation),
    at('PUT', item, hostileReplacement),
    at('PUT', `${collection}/uid:${uidOfItem}`, hostileReplacement),
    at('PUT', `${item}/status`, hostileSubresource),
    at('PUT', `${item}/finalizers`, hostileSubresource),
    at('POST', definitions, hostileDefinition),
    at('PUT', `${definitions}/alphash.h.example.dev`, hostileDefinition),
    at('DELETE', `${collection}/y`, hostileBody),
    at('POST', collection, fc.constant(Buffer.alloc(70_000, ' '))),
  );
};

const wild = (prey: Prey): fc.Arbitrary<Aim> => fc.record({ method, path: pathOf(prey), body: hostileBody });

/** A request that begins like one and then does whatever it likes. */
const request = (prey: Prey): fc.Arbitrary<Attack> =>
  fc
    .record({
      aim: fc.oneof(aimed(prey), wild(prey)),
      bearer: fc.constantFrom(...prey.bearers),
      type: contentType,
      odd: fc.oneof(
        { weight: 6, arbitrary: fc.constant<string[]>([]) },
        { weight: 1, arbitrary: fc.array(oddHeader, { minLength: 1, maxLength: 3 }) },
      ),
      framing,
    })
    .map(({ aim, ...made }) => {
      const { headers, body } = framed(made.framing, aim.body);
      const lines = [
        `${aim.method} ${aim.path} HTTP/1.1`,
        'Host: platform.test',
        `Authorization: ${made.bearer}`,
        `Content-Type: ${made.type}`,
        'Connection: close',
        ...headers,
        ...made.odd,
      ];
      const unfinished = made.framing !== 'length' && made.framing !== 'chunked';
      const plain =
        /^(GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH)$/.test(aim.method) && /^\/[\x21-\x7e]*$/.test(aim.path);
      const whole = !unfinished && plain && made.odd.length === 0 && aim.path.length < 8000;
      return { head: `${lines.join('\r\n')}\r\n\r\n`, body, whole, unfinished };
    });

function framed(how: Framing, body: Buffer): { headers: string[]; body: Buffer } {
  const length = (bytes: number | string): string[] => [`Content-Length: ${bytes}`];
  const chunks = Buffer.concat([
    Buffer.from(`${body.length.toString(16)}\r\n`),
    body,
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
  switch (how) {
    case 'length':
      return { headers: length(body.length), body };
    case 'chunked':
      return {
        headers: ['Transfer-Encoding: chunked'],
        body: body.length === 0 ? Buffer.from('0\r\n\r\n') : chunks,
      };
    case 'tooShort':
      return { headers: length(Math.floor(body.length / 2)), body };
    case 'tooLong':
      return { headers: length(body.length + 10), body };
    case 'badChunk':
      return { headers: ['Transfer-Encoding: chunked'], body: Buffer.concat([Buffer.from('zz;\r\n'), body]) };
    case 'both':
      return { headers: [...length(3), 'Transfer-Encoding: chunked'], body: chunks };
    case 'negative':
      return { headers: length('-1e9'), body };
  }
}

/** Bytes that are no HTTP at all, or hardly. */
const noise: fc.Arbitrary<Attack> = fc
  .oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        'GET / HTTP/9.9\r\n\r\n',
        'GET /\r\n\r\n',
        'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
        'GET / HTTP/1.1\r\n\r\n',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        '\r\n\r\n\r\n',
        '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
        `GET /${'a'.repeat(60_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
        `GET / HTTP/1.1\r\nHost: a\r\n${Array.from({ length: 1500 }, (_, index) => `H${index}: v`).join('\r\n')}\r\n\r\n`,
      )
      .map((text) => Buffer.from(text, 'latin1')),
  )
  .map((body) => ({ head: '', body, whole: false, unfinished: true }));

/** Anything that somebody may send who wishes the service ill. */
export function attacks(prey: Prey): fc.Arbitrary<Attack> {
  return fc.oneof({ weight: 12, arbitrary: request(prey) }, { weight: 1, arbitrary: noise });
}
