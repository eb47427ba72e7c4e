import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { Problem } from '@platform/kernel';
import { decodeProtobuf } from './decode-body.ts';

type Part = [number: number, value: string | boolean | bigint | Part[]];

/** Encodes fields: a string or a message, a flag, or an integer. */
function encode(parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  for (const [number, value] of parts) {
    if (Array.isArray(value)) writer.tag(number, WireType.LengthDelimited).bytes(encode(value));
    else if (typeof value === 'string') writer.tag(number, WireType.LengthDelimited).string(value);
    else if (typeof value === 'boolean') writer.tag(number, WireType.Varint).bool(value);
    else writer.tag(number, WireType.Varint).int64(value);
  }
  return writer.finish();
}

function body(apiVersion: string, kind: string, object: readonly Part[]): Uint8Array {
  const envelope = encode([
    [
      1,
      [
        [1, apiVersion],
        [2, kind],
      ],
    ],
    [2, [...object]],
    [3, ''],
    [4, ''],
  ]);
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, ...envelope]);
}

function codeOf(bytes: Uint8Array): string {
  try {
    decodeProtobuf(bytes);
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
  return 'none';
}

const meta: Part[] = [
  [1, 'a'],
  [2, ''],
  [3, 'acme'],
  [7, 0n],
  [8, []],
  [
    11,
    [
      [1, 'app'],
      [2, 'web'],
    ],
  ],
  [
    11,
    [
      [1, 'empty'],
      [2, ''],
    ],
  ],
  [
    13,
    [
      [1, 'Widget'],
      [3, 'w'],
      [4, 'u'],
      [5, 'example.dev/v1'],
      [6, true],
      [7, false],
    ],
  ],
  [14, 'x/y'],
  [
    17,
    [
      [1, 'kubectl'],
      [4, [[1, 1_700_000_000n]]],
      [7, [[1, '{"f:data":{}}']]],
    ],
  ],
];

describe('bodies in protobuf', () => {
  it('are the same object as in JSON, without what Go leaves out', () => {
    const secret = body('v1', 'Secret', [
      [1, meta],
      [
        2,
        [
          [1, 'password'],
          [2, 'hunter2'],
        ],
      ],
      [3, 'Opaque'],
      [5, false],
    ]);
    expect(JSON.parse(decodeProtobuf(secret))).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'a',
        namespace: 'acme',
        labels: { app: 'web', empty: '' },
        ownerReferences: [
          {
            kind: 'Widget',
            name: 'w',
            uid: 'u',
            apiVersion: 'example.dev/v1',
            controller: true,
            blockOwnerDeletion: false,
          },
        ],
        finalizers: ['x/y'],
        managedFields: [{ manager: 'kubectl', time: '2023-11-14T22:13:20Z', fieldsV1: { 'f:data': {} } }],
      },
      data: { password: btoa('hunter2') },
      type: 'Opaque',
      immutable: false,
    });
  });

  it('keep what is empty on purpose, and microseconds', () => {
    const lease = body('coordination.k8s.io/v1', 'Lease', [
      [
        2,
        [
          [1, ''],
          [2, 15n],
          [
            4,
            [
              [1, 1_700_000_000n],
              [2, 12_345_000n],
            ],
          ],
        ],
      ],
    ]);
    expect(JSON.parse(decodeProtobuf(lease)).spec).toEqual({
      holderIdentity: '',
      leaseDurationSeconds: 15,
      renewTime: '2023-11-14T22:13:20.012345Z',
    });
  });

  it.each<[string, string, Part[], object]>([
    [
      'v1',
      'Namespace',
      [
        [1, [[1, 'acme']]],
        [2, []],
        [3, []],
      ],
      { metadata: { name: 'acme' }, spec: {}, status: {} },
    ],
    [
      'authorization.k8s.io/v1',
      'SelfSubjectAccessReview',
      [
        [
          2,
          [
            [
              1,
              [
                [1, 'acme'],
                [2, 'get'],
                [5, 'secrets'],
              ],
            ],
          ],
        ],
      ],
      { spec: { resourceAttributes: { namespace: 'acme', verb: 'get', resource: 'secrets' } } },
    ],
    [
      'authorization.k8s.io/v1',
      'SelfSubjectRulesReview',
      [[2, [[1, 'acme']]]],
      { spec: { namespace: 'acme' } },
    ],
    ['authentication.k8s.io/v1', 'SelfSubjectReview', [[1, []]], { metadata: {} }],
    [
      'v1',
      'DeleteOptions',
      [
        [1, 0n],
        [2, [[1, 'u']]],
        [4, 'Background'],
        [5, 'All'],
      ],
      {
        gracePeriodSeconds: 0,
        preconditions: { uid: 'u' },
        propagationPolicy: 'Background',
        dryRun: ['All'],
      },
    ],
  ])('read %s %s', (apiVersion, kind, parts, expected) => {
    expect(JSON.parse(decodeProtobuf(body(apiVersion, kind, parts)))).toEqual({
      apiVersion,
      kind,
      ...expected,
    });
  });

  it('of other kinds are not read', () => {
    expect(codeOf(body('apps/v1', 'Deployment', []))).toBe('unsupported_media_type');
  });

  it.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['JSON', new TextEncoder().encode('{"kind":"Secret"}')],
    ['a body that ends early', body('v1', 'Secret', [[1, meta]]).slice(0, 60)],
    ['a number where a message belongs', body('v1', 'Secret', [[1, 5n]])],
    [
      'text that is not UTF-8',
      Uint8Array.from([0x6b, 0x38, 0x73, 0, 0x12, 3, 0x1a, 1, 0xff, 10, 6, 10, 2, 0x76, 0x31, 0x12, 0]),
    ],
    ['fields that are not JSON', body('v1', 'Secret', [[1, [[17, [[7, [[1, '{']]]]]]]])],
    ['a time out of range', body('v1', 'Secret', [[1, [[8, [[1, 9_000_000_000_000_000n]]]]]])],
  ])('that are %s are malformed', (_name, bytes) => {
    expect(['malformed_body', 'unsupported_media_type']).toContain(codeOf(bytes));
  });

  it('of random bytes never fail otherwise', () => {
    let seed = 1;
    const next = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % 256;
    };
    const valid = body('v1', 'Secret', [
      [1, meta],
      [
        2,
        [
          [1, 'k'],
          [2, 'v'],
        ],
      ],
    ]);
    for (let round = 0; round < 2_000; round++) {
      const bytes = Uint8Array.from(valid);
      for (let change = 0; change < 3; change++)
        bytes[4 + ((next() * 256 + next()) % (bytes.length - 4))] = next();
      expect(['none', 'malformed_body', 'unsupported_media_type']).toContain(codeOf(bytes));
    }
  });
});
