import { createSchemaValidator, defaultLimits } from './index.ts';
import type { Json } from './json.ts';

const document = (value: Json) => ({ value, text: JSON.stringify(value) });
const spec: Json = { name: 'web', replicas: 2, labels: { app: 'x' }, ports: [{ port: 80 }] };
const schema: Json = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 },
    replicas: { type: 'integer', minimum: 0 },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    ports: { type: 'array', items: { $ref: '#/$defs/port' } },
  },
  $defs: { port: { type: 'object', properties: { port: { type: 'integer', maximum: 65_535 } } } },
};

describe('the schema validator', () => {
  // With an empty queue, everything that needs the process is rejected, so a result comes from this process.
  const onTheSpot = createSchemaValidator({ limits: { queue: 0 } });
  const whole = createSchemaValidator({ limits: { deadlineMs: 20_000 } });
  afterAll(() => whole.close());

  it('finds every fault of a document, with its path', async () => {
    const bad = document({ replicas: -1, labels: { a: 1 }, ports: [{ port: 70_000 }], extra: true });
    const faults = await onTheSpot.validate({ key: 'every', schema: JSON.stringify(schema) }, bad);
    expect(faults.map(({ path, message }) => `${path} ${message}`).sort()).toEqual([
      '/extra is not allowed',
      '/labels/a must be a string',
      '/name is required',
      '/ports/0/port must be <= 65535',
      '/replicas must be >= 0',
    ]);
  });

  it('finds one fault more than an answer lists, at most', async () => {
    const many = document(Array(5_000).fill(0));
    for (const text of [
      '{"items":{"type":"string"}}',
      '{"items":{"type":"string"},"unevaluatedItems":false}',
    ])
      expect(await whole.validate({ key: text, schema: text }, many)).toHaveLength(1_001);
  });

  it('compiles a schema once for each key, in both processes', async () => {
    for (const [key, keyword] of Object.entries({ spot: 'items', process: 'unevaluatedItems' })) {
      const first = { key, schema: JSON.stringify({ [keyword]: { type: 'string' } }) };
      expect(await whole.validate(first, document([1]))).toHaveLength(1);
      // If it were compiled again, the second text would be used.
      const again = { key, schema: JSON.stringify({ [keyword]: { type: 'number' } }) };
      expect(await whole.validate(again, document([1]))).toHaveLength(1);
    }
  });

  it('compiles a schema again after its eviction from the cache', async () => {
    const small = createSchemaValidator({ limits: { cachedSchemas: 1, queue: 0 } });
    const faults = async (key: string, type: string) =>
      (await small.validate({ key, schema: JSON.stringify({ type }) }, document(1))).length;
    expect(await faults('a', 'string')).toBe(1);
    expect(await faults('b', 'string')).toBe(1);
    expect(await faults('a', 'number')).toBe(0);
  });

  describe('validates in the same process', () => {
    it.each<[string, Json, Json]>([
      ['an ordinary spec', schema, spec],
      [
        'forty of them in a list',
        { items: { $id: 'https://spec.example/', ...(schema as object) } },
        Array(40).fill(spec),
      ],
      ['a recursive schema', { properties: { child: { $ref: '#' } } }, { child: { child: { child: {} } } }],
      [
        'a doubling recursion, while the document is flat',
        { items: { allOf: [{ $ref: '#' }, { $ref: '#' }] } },
        [1],
      ],
      ['dynamic references', { $dynamicAnchor: 'n', items: { $dynamicRef: '#n' } }, [[[]]]],
    ])('%s', async (name, schema, value) => {
      const text = JSON.stringify(schema);
      expect(await onTheSpot.check(text)).toEqual([]);
      expect(await onTheSpot.validate({ key: name, schema: text }, document(value))).toEqual([]);
    });
  });

  describe('validates in the child process', () => {
    const large = (count: number): Json => ({
      properties: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }]),
      ),
    });
    it.each<[string, Json, Json]>([
      ['what ajv gets wrong', { unevaluatedItems: false }, []],
      ['what may backtrack', { pattern: '(a)\\1' }, 'aa'],
      ['large texts', { title: 'x'.repeat(defaultLimits.inlineSchemaLength) }, 1],
      ['many subschemas', large(400), {}],
      ['many properties of characters', { pattern: '\\p{L}\\p{N}\\p{P}\\p{S}\\p{Z}' }, 'a1. '],
      [
        'large documents',
        schema,
        { name: 'web', labels: Object.fromEntries(Array(20_000).fill('x').entries()) },
      ],
      [
        'a doubling recursion in a deep document',
        { items: { allOf: [{ $ref: '#' }, { $ref: '#' }] } },
        deep(20),
      ],
    ])('%s', async (name, schema, value) => {
      const ref = { key: name, schema: JSON.stringify(schema) };
      await expect(onTheSpot.validate(ref, document(value))).rejects.toMatchObject({ code: 'unavailable' });
    });
  });

  it('validates many property escapes in the child process, however they are written', async () => {
    const schema = `{"pattern":"${'\\u005cp{L}'.repeat(5)}"}`;
    await expect(onTheSpot.check(schema)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('reports that a stored schema is now rejected', async () => {
    const ref = { key: 'refused', schema: '{"$ref":"https://elsewhere.example/"}' };
    const [fault] = await whole.validate(ref, document(1));
    expect(fault?.path).toBe('');
    expect(fault?.message).toContain('the schema of its kind is not acceptable: /$ref: does not resolve');
  });

  it.each(['1e400', '-1e400', '123456789012345678901234567890', '1.10', '1.0'])(
    'takes %s for the number that it is',
    async (text) => {
      const ref = { key: 'number', schema: '{"type":"number"}' };
      expect(await onTheSpot.validate(ref, { value: JSON.parse(text), text })).toEqual([]);
    },
  );

  describe('rules in CEL', () => {
    const field = {
      type: 'string',
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }],
    };
    const schema = JSON.stringify({ type: 'object', properties: { field } });

    it('are enforced for changes, in the child process', async () => {
      const ref = { key: 'rules', schema };
      const before = { name: 'a', before: '{"field":"a"}' };
      expect(await whole.validate(ref, document({ field: 'a' }), before)).toEqual([]);
      expect(await whole.validate(ref, document({ field: 'b' }), { name: 'a', before: null })).toEqual([]);
      expect(await whole.validate(ref, document({ field: 'b' }), before)).toEqual([
        { path: '/field', message: 'is immutable' },
      ]);
      await expect(onTheSpot.validate(ref, document({}))).rejects.toMatchObject({ code: 'unavailable' });
    });

    it('that cannot be enforced are faults of the schema', async () => {
      expect(await whole.check(schema.replace('self == oldSelf', 'jwt(self)'))).toEqual([
        {
          path: '/properties/field/x-kubernetes-validations/0/rule',
          message: expect.stringContaining('cannot be enforced'),
        },
      ]);
    });

    it('have the deadline of the document', async () => {
      const nested = 'self.all(a, self.all(b, self.all(c, self.all(d, a + b + c + d > 0))))';
      const list = {
        type: 'array',
        items: { type: 'integer' },
        'x-kubernetes-validations': [{ rule: nested }],
      };
      const ref = { key: 'slow rules', schema: JSON.stringify(list) };
      const [fault] = await whole.validate(ref, document(Array(500).fill(1)));
      expect(fault?.message).toContain('takes longer than');
    });
  });

  it('accepts the booleans, the empty schema and the meta-schema as schemas', async () => {
    for (const text of ['true', 'false', '{}', '{"$ref":"https://json-schema.org/draft/2020-12/schema"}'])
      expect(await onTheSpot.check(text)).toEqual([]);
    const faults = await onTheSpot.validate({ key: 'false', schema: 'false' }, document({}));
    expect(faults).toEqual([{ path: '', message: 'is not allowed' }]);
  });
});

function deep(levels: number): Json {
  return levels === 0 ? 1 : [deep(levels - 1)];
}
