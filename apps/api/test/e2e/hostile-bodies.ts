import fc from 'fast-check';

const oddText = fc.oneof(
  fc.constantFrom(
    '\u0000',
    '\ud800',
    '\u202e',
    '\ufeff',
    '\u2028',
    'ﬀ',
    '𝕊',
    '\r\n\r\n',
    '../..',
    "' or 1=1 --",
    '%n%s',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

/** Numbers as text, because `JSON.stringify` could not write most of them. */
const oddNumber = fc.constantFrom(
  '0',
  '-0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '9223372036854775808',
  '1'.repeat(400),
  '0x10',
  '01',
  '+1',
  'NaN',
);

const protoKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON'];

const deep = fc
  .tuple(fc.constantFrom(60, 65, 1000, 50_000), fc.boolean())
  .map(([depth, arrays]) =>
    arrays ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  );

/** JSON text of anything, valid or nearly so. */
const anyJson: fc.Arbitrary<string> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  oddNumber,
  oddText.map((text) => JSON.stringify(text)),
  oddText.map((text) => `"${text}"`),
  fc.constantFrom(
    '"\\u0000"',
    '"\\ud800"',
    '"\\uZZZZ"',
    '',
    '{',
    '[',
    '"',
    'nul',
    '{"a":1,"a":2}',
    '{"a":1,}',
    "{'a':1}",
  ),
  deep,
);

/** Mostly what belongs there, else anything. */
const mostly = (...good: string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: anyJson });

/** An object text of members, perhaps with one of those that have no place in it. */
const objectOf = (
  members: Readonly<Record<string, fc.Arbitrary<string>>>,
  requiredKeys: string[] = [],
  misplaced: readonly string[] = ['unknown'],
): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.record(members, { requiredKeys }),
      fc.oneof(
        { weight: 10, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...protoKeys, ...misplaced), anyJson) },
      ),
    )
    .map(([given, odd]) => {
      const texts = Object.entries(given).map(([key, text]) => `"${key}":${text}`);
      if (odd !== null) texts.push(`"${odd[0]}":${odd[1]}`);
      return `{${texts.join(',')}}`;
    });

const reference = objectOf(
  {
    apiVersion: mostly('"h.example.dev/v1"'),
    kind: mostly('"Alpha"'),
    name: mostly('"x"'),
    uid: mostly(
      '"00000000-0000-0000-0000-000000000000"',
      '"01890000-0000-7000-8000-00000000000g"',
      '"{01890000-0000-7000-8000-000000000000}"',
    ),
    blockOwnerDeletion: mostly('true', '"true"'),
  },
  ['apiVersion', 'kind', 'name', 'uid'],
);
const listOf = (entry: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    fc.array(entry, { maxLength: 3 }).map((texts) => `[${texts.join(',')}]`),
    anyJson,
  );
const finalizer = fc.oneof(
  fc.constantFrom('"a/b"', '"system.platform.dev/cascade-deletion"', '""', '"a b"', `"${'f'.repeat(300)}"`),
  anyJson,
);

const setByServer = [
  'uid',
  'generation',
  'discriminator',
  'ancestors',
  'creationTimestamp',
  'deletionTimestamp',
];
const envelope = (own: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> =>
  objectOf(
    {
      apiVersion: mostly('"h.example.dev/v1"'),
      kind: mostly('"Alpha"'),
      metadata: objectOf(
        {
          ...own,
          annotations: mostly('{}', '{"a":"b"}'),
          finalizers: fc.oneof(mostly('["free/z"]'), listOf(finalizer)),
          ownerReferences: fc.oneof(mostly('[]'), listOf(reference)),
        },
        Object.keys(own),
        setByServer,
      ),
      spec: mostly('{}', '{"n":1e400}', '{"__proto__":{"a":1},"constructor":1}'),
    },
    ['apiVersion', 'kind', 'metadata'],
    ['status'],
  );
const creation = envelope({ name: mostly('"y"', ...'abcdefgh'.split('').map((name) => `"${name}"`)) });
const replacement = envelope({ name: mostly('"x"'), revision: mostly('1', '2', '3') });

/** Schemas that would fetch, loop or never end if nothing stopped them. */
const schema = fc.constantFrom(
  '{"$ref":"http://other.example/schema"}',
  '{"$ref":"#"}',
  '{"$dynamicRef":"#a","$dynamicAnchor":"a"}',
  '{"pattern":"^(a+)+$"}',
  '{"patternProperties":{"(x+x+)+y":{}}}',
  '{"pattern":"("}',
  '{"type":"nonsense"}',
  '{"minLength":1e400}',
  '{"enum":[]}',
  '{"$id":"file:///etc/passwd"}',
  '{"$schema":"http://json-schema.org/draft-04/schema#"}',
  '{"properties":{"__proto__":{"type":"string"}}}',
  `{"allOf":[${Array(2000).fill('{"not":{"not":{}}}').join(',')}]}`,
  '{"uniqueItems":true,"contains":{"$ref":"#"},"unevaluatedProperties":false}',
);
const version = objectOf(
  {
    name: mostly('"v1"', '"v2"'),
    served: mostly('true'),
    storage: mostly('true'),
    schema: fc.oneof(schema, anyJson),
  },
  ['name', 'served', 'storage'],
);
const definition = objectOf(
  {
    apiVersion: fc.constant('"platform.dev/v1alpha1"'),
    kind: fc.constant('"ResourceDefinition"'),
    metadata: fc.constantFrom(
      '{"name":"prey.h.example.dev"}',
      '{"name":"alphash.h.example.dev","revision":1}',
    ),
    spec: objectOf(
      {
        group: mostly('"h.example.dev"'),
        kind: mostly('"Prey"', '"Alpha"'),
        plural: mostly('"prey"', '"alphash"'),
        parent: mostly('null', '{"apiVersion":"h.example.dev/v1","kind":"Prey"}'),
        versions: listOf(version),
        allowedStatusControllerIds: anyJson,
      },
      ['group', 'kind', 'plural', 'versions'],
    ),
  },
  ['apiVersion', 'kind', 'metadata', 'spec'],
);

const subresource = fc.oneof(
  objectOf({ status: anyJson }),
  objectOf({ add: listOf(finalizer), remove: listOf(finalizer) }),
);

/** Something like a new resource. */
export const hostileCreation = creation.map((text) => Buffer.from(text));
/** Something like a resource that was read and changed. */
export const hostileReplacement = replacement.map((text) => Buffer.from(text));
/** Something like a definition. */
export const hostileDefinition = definition.map((text) => Buffer.from(text));
/** Something like a request to a subresource. */
export const hostileSubresource = subresource.map((text) => Buffer.from(text));

/** A body from noise to almost right. */
export const hostileBody: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 2, arbitrary: hostileCreation },
  { weight: 2, arbitrary: hostileReplacement },
  { weight: 3, arbitrary: hostileDefinition },
  { weight: 2, arbitrary: hostileSubresource },
  { weight: 2, arbitrary: anyJson.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      Buffer.alloc(0),
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')]),
      Buffer.from('{"a":"é"}', 'latin1'),
      Buffer.from('{"a":1}', 'utf16le'),
      Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
      Buffer.alloc(70_000, ' '),
      Buffer.from(`{"spec":{"a":"${'x'.repeat(100_000)}"}}`),
    ),
  },
);
