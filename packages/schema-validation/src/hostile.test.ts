import type { Fault } from '@platform/kernel';
import { createSchemaValidator } from './index.ts';
import type { Json } from './json.ts';

/** Attacks by users who may register kinds or create resources. Each gets a response, and so does the next request. */
describe('hostile schemas and documents', () => {
  // Short deadlines make short tests, but a loaded machine must answer simple requests in time; tests of correct results use long ones.
  const deadlineMs = 400;
  const validator = createSchemaValidator({ limits: { deadlineMs } });
  const patient = createSchemaValidator({ limits: { deadlineMs: 20_000 } });
  let keys = 0;

  beforeAll(async () => void (await validator.check('{"unevaluatedItems":true}')));
  afterAll(() => Promise.all([validator.close(), patient.close()]));

  const check = async (schema: Json | string): Promise<readonly string[]> =>
    messages(await validator.check(typeof schema === 'string' ? schema : JSON.stringify(schema)));

  const validate = async (schema: Json, value: Json, by = validator): Promise<readonly string[]> => {
    const document = { value, text: JSON.stringify(value) };
    return messages(await by.validate({ key: String(++keys), schema: JSON.stringify(schema) }, document));
  };

  const messages = (faults: readonly Fault[]): string[] =>
    faults.map(({ path, message }) => `${path}: ${message}`);

  const tooLong = [`: takes longer than ${deadlineMs} ms to process`];
  const nested = (depth: number, hold: (inner: Json) => Json, inner: Json): Json =>
    depth === 0 ? inner : nested(depth - 1, hold, hold(inner));
  const evil = `${'a'.repeat(60)}!`;

  it.each<[string, Json, Json, string[]]>([
    ['a nested quantifier', { pattern: '^(a+)+$' }, evil, [': must match the pattern "^(a+)+$"']],
    [
      'the same on names',
      { patternProperties: { '^(a+)+!$': false } },
      { [evil]: 1 },
      [`/${evil}: is not allowed`],
    ],
    [
      'the same behind a lookahead',
      { pattern: '^(?=(a|a)+$)' },
      evil,
      [': must match the pattern "^(?=(a|a)+$)"'],
    ],
    ['a megabyte of it', { pattern: '^(a+)+$' }, 'a'.repeat(1_000_000), []],
    ['an expression as a value', { format: 'regex' }, '^(a+)+$', []],
    ['an address without an end', { format: 'idn-email' }, 'é'.repeat(500), [': must be a valid idn-email']],
    ['a number beyond doubles', { type: 'integer', minimum: 5 }, JSON.parse('1e400'), []],
    [
      'members named like methods',
      { const: { a: 1 } },
      { valueOf: 1, constructor: 1 },
      [': must be {"a":1}'],
    ],
    [
      'a great many equal candidates',
      { uniqueItems: true },
      Array.from({ length: 40_000 }, (_, i) => ({ i })),
      [],
    ],
    [
      'a great many values',
      { items: { enum: Array.from({ length: 4_000 }, (_, i) => [i]) } },
      Array(30_000).fill([1]),
      [],
    ],
    ['a keyword that only ajv knows', { $async: true, type: 'null' }, 1, [': must be null']],
  ])('get a correct result: %s', async (_, schema, document, expected) => {
    expect(await validate(schema, document, patient)).toEqual(expected);
  });

  it.each<[string, Json, Json]>([
    ['a backreference', { pattern: '^(a+)+\\1$' }, evil],
    ['a lookahead inside', { pattern: 'a?(?=(a+)+$)' }, evil],
    ['a pattern on names', { patternProperties: { '^(a+)+\\1$': false } }, { [evil]: 1 }],
    ['a pattern for the interpreter', { unevaluatedItems: false, items: { pattern: '^(a+)+$' } }, [evil]],
    [
      'a recursion that doubles at each level',
      { properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } },
      nested(60, (a) => ({ a }), 1),
    ],
    [
      'the same for the interpreter',
      { unevaluatedProperties: false, properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } },
      nested(60, (a) => ({ a }), 1),
    ],
    [
      'faults without end',
      { items: { required: Array.from({ length: 2_000 }, (_, index) => `k${index}`) } },
      Array(200_000).fill({}),
    ],
  ])('are stopped by the deadline: %s', async (_, schema, document) => {
    expect(await validate(schema, document)).toEqual(tooLong);
    expect(await validate({ unevaluatedItems: false }, [1])).toEqual(['/0: is not allowed']);
  });

  it.each<[string, Json | string, string]>([
    ['a schema that is itself', { $ref: '#' }, ': refers to itself at the same place'],
    [
      'a circle',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
      '/$defs/a: refers to itself at the same place',
    ],
    ['2^40 references', doubling(40), '/$defs/s22: evaluates more than 1000000 keywords at one place'],
    ['too long a text', `{"title":"${'x'.repeat(1_100_000)}"}`, ': must have at most 1048576 characters'],
    [
      'too deep a text',
      `${'{"not":'.repeat(200_000)}true${'}'.repeat(200_000)}`,
      ': must have at most 1048576 characters',
    ],
    [
      'a deep text',
      `${'{"not":'.repeat(20_000)}true${'}'.repeat(20_000)}`,
      ': must be nested at most 128 deep',
    ],
    ['too many subschemas', { allOf: Array(11_000).fill({}) }, '/allOf/9999: has more than 10000 subschemas'],
    ['an expression that is none', { pattern: '(' }, '/pattern: must be a valid regex'],
    [
      'an address inside the network',
      { $ref: 'http://169.254.169.254/' },
      '/$ref: does not resolve inside the schema, and references are never fetched',
    ],
    ['an ill-formed keyword', { properties: 1 }, '/properties: must be an object'],
    ['no schema', '[]', ': must be an object or a boolean'],
    ['no JSON', '{', ': must be JSON'],
  ])('are rejected at registration: %s', async (_, schema, fault) => {
    expect(await check(schema)).toContain(fault);
  });

  it('get all faults at once, up to the limit', async () => {
    const bad = { type: 'x', properties: { a: { $ref: 'b' }, c: { pattern: '(' }, d: { minimum: 'x' } } };
    const paths = (await validator.check(JSON.stringify(bad))).map(({ path }) => path);
    expect(new Set(paths)).toEqual(
      new Set(['/type', '/properties/a/$ref', '/properties/c/pattern', '/properties/d/minimum']),
    );
    const many = { allOf: Array.from({ length: 1_500 }, (_, index) => ({ $ref: `x${index}` })) };
    expect(await check(many)).toHaveLength(1_001);
  });

  it('do not block other schemas in the process: schemas take turns', async () => {
    const attack = Array.from({ length: 6 }, () =>
      validator.validate(
        { key: 'attack', schema: '{"pattern":"^(a+)+\\\\1$"}' },
        { value: evil, text: JSON.stringify(evil) },
      ),
    );
    const order: string[] = [];
    const attacked = Promise.all(attack).then(() => order.push('attacker'));
    await validate({ unevaluatedItems: false }, [1]).then(() => order.push('other'));
    await attacked;
    expect(order).toEqual(['other', 'attacker']);
  });

  it('do not block cheap documents, which never wait for the process', async () => {
    const attack = validate({ pattern: '^(a+)+\\1$' }, evil);
    const winner = await Promise.race([
      attack.then(() => 'attacker'),
      validate({ type: 'null' }, 1).then(() => 'other'),
    ]);
    expect(winner).toBe('other');
    expect(await attack).toEqual(tooLong);
  });

  it('are rejected when the validator is closed', async () => {
    const other = createSchemaValidator();
    const waiting = expect(other.check('{"unevaluatedItems":true}')).rejects.toMatchObject({
      code: 'unavailable',
    });
    await other.close();
    await waiting;
    await expect(other.check('{"unevaluatedItems":true}')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

/** Creates definitions, each with two references to the next. */
function doubling(length: number): Json {
  const steps = Array.from({ length }, (_, index) => {
    const reference = { $ref: `#/$defs/s${index + 1}` };
    return [`s${index}`, { allOf: [reference, reference] }];
  });
  return { $defs: { ...Object.fromEntries(steps), [`s${length}`]: true }, $ref: '#/$defs/s0' };
}
