import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../json.ts';
import { compileRules } from './compile-rules.ts';
import { evaluateRules, type RuleObject } from './evaluate-rules.ts';

const rule = (text: string, more: object = {}) => ({ 'x-kubernetes-validations': [{ rule: text, ...more }] });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const integer = { type: 'integer' };

function faultsOf(schema: object, spec: unknown, known: Partial<RuleObject> = {}) {
  const rules = compileRules(schema as Json);
  if (rules === null) throw new Error('no rules');
  expect(rules.faults).toEqual([]);
  return evaluateRules(rules, schema as Json, spec as Json, { name: 'a', before: undefined, ...known }, 100);
}

/** Rules that hold and rules that do not, of a value with that schema. */
const holds: readonly [rule: string, schema: object, value: unknown, expected: boolean][] = [
  ['self.min <= self.max', object({ min: integer, max: integer }), { min: 1, max: 2 }, true],
  ['self.min <= self.max', object({ min: integer, max: integer }), { min: 3, max: 2 }, false],
  ['has(self.a) != has(self.b)', object({ a: integer, b: integer }), { a: 1 }, true],
  ['has(self.constructor)', object({ constructor: integer }), {}, false],
  ['self.x == 1.5', object({ x: { type: 'number' } }), { x: 1.5 }, true],
  ['self.x > 1.0', object({ x: { type: 'number' } }), { x: 2 }, true],
  [
    'self.all(k, self[k].startsWith("a"))',
    { type: 'object', additionalProperties: { type: 'string' } },
    { x: 'b' },
    false,
  ],
  [
    'self.exists_one(p, p.port == 80)',
    { type: 'array', items: object({ port: integer }) },
    [{ port: 80 }],
    true,
  ],
  ['self.isSorted()', { type: 'array', items: integer }, [1, 3, 2], false],
  [
    'self.sum() == 6 && self.max() == 3 && self.min() == 1',
    { type: 'array', items: integer },
    [1, 3, 2],
    true,
  ],
  [
    'self.a__dash__b == 1 && self.__namespace__ == 2',
    object({ 'a-b': integer, namespace: integer }),
    { 'a-b': 1, namespace: 2 },
    true,
  ],
  ['type(self) == int ? self < 10 : self == "x"', { type: ['integer', 'string'] }, 'x', true],
  [
    'url(self).getHost() == "a.example:80" && url(self).getScheme() == "https"',
    { type: 'string' },
    'https://a.example:80/x',
    true,
  ],
  ['isURL(self)', { type: 'string' }, 'nothing', false],
  ['quantity(self).isGreaterThan(quantity("1.5Gi")) && isQuantity(self)', { type: 'string' }, '2000Mi', true],
  ['quantity(self).compareTo(quantity("0.1")) == 0', { type: 'string' }, '100m', true],
  ['self.replace("a", "b") == "bcb" && self.find("c+") == "c"', { type: 'string' }, 'aca', true],
  ['self.replace("a", "b", 1) == "bca"', { type: 'string' }, 'aca', true],
  ['self.findAll("[ac]").size() == 3', { type: 'string' }, 'aca', true],
  ['self.matches("^(?i)a[[:digit:]]$") && self.find("(?i)A") == "a"', { type: 'string' }, 'a1', true],
  ['isIP(self) || isCIDR(self)', { type: 'string' }, '10.0.0.0/33', false],
  [
    'self < timestamp("2030-01-01T00:00:00Z")',
    { type: 'string', format: 'date-time' },
    '2029-01-01T00:00:00Z',
    true,
  ],
  ['self <= duration("1h")', { type: 'string', 'x-kubernetes-format': 'duration' }, '90m', false],
  ['self.?a.orValue(3) == 3', object({ a: integer }), {}, true],
  [
    'self.size() == 0 || !has(self[0].a.b) || has( self[0].a["x"].c )',
    { type: 'array', items: object({ a: { type: 'object', additionalProperties: object({ c: integer }) } }) },
    [{ a: { b: {}, x: {} } }],
    false,
  ],
  [
    'self.all(k, k == "has(a[0].b)" && has(self[k].a))',
    { type: 'object', additionalProperties: object({ a: integer }) },
    { 'has(a[0].b)': { a: 1 } },
    true,
  ],
];

describe('rules', () => {
  it.each(holds)('%s (%j)', (text, schema, value, expected) => {
    const whole = object({ field: { ...schema, ...rule(text) } });
    expect(faultsOf(whole, { field: value })).toEqual(
      expected ? [] : [{ path: '/field', message: `failed rule: ${text}` }],
    );
  });

  it('say what they were given to say, at the field that they name', () => {
    const said = object({ a: integer }, rule('self.a > 1', { message: 'a is too small', fieldPath: '.a' }));
    expect(faultsOf(said, { a: 1 })).toEqual([{ path: '/a', message: 'a is too small' }]);
    const expression = { messageExpression: '"a is " + string(self.a)' };
    expect(faultsOf(object({ a: integer }, rule('self.a > 1', expression)), { a: 1 })).toEqual([
      { path: '', message: 'a is 1' },
    ]);
  });

  it('that fail to evaluate are faults', () => {
    expect(faultsOf(object({ a: integer }, rule('self.a > 1')), {})).toEqual([
      { path: '', message: expect.stringContaining('rule cannot be evaluated: No such key: a') },
    ]);
  });

  it('about changes run when there is a value before', () => {
    const fixed = object({
      field: { type: 'string', ...rule('self == oldSelf', { message: 'is immutable' }) },
    });
    expect(faultsOf(fixed, { field: 'b' })).toEqual([]);
    expect(faultsOf(fixed, { field: 'b' }, { before: {} })).toEqual([]);
    expect(faultsOf(fixed, { field: 'b' }, { before: { field: 'a' } })).toEqual([
      { path: '/field', message: 'is immutable' },
    ]);
    const optional = object({
      n: { ...integer, ...rule('oldSelf.hasValue() || self == 0', { optionalOldSelf: true }) },
    });
    expect(faultsOf(optional, { n: 1 })).toHaveLength(1);
    expect(faultsOf(optional, { n: 1 }, { before: { n: 5 } })).toEqual([]);
  });

  it('about changes compare the items of a list of type map by their keys', () => {
    const items = object({ name: { type: 'string' }, size: { ...integer, ...rule('self >= oldSelf') } });
    const list = {
      type: 'array',
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    };
    const before = {
      list: [
        { name: 'a', size: 5 },
        { name: 'b', size: 1 },
      ],
    };
    const next = {
      list: [
        { name: 'b', size: 2 },
        { name: 'a', size: 4 },
        { name: 'c', size: 0 },
      ],
    };
    expect(faultsOf(object({ list }), next, { before }).map(({ path }) => path)).toEqual(['/list/1/size']);
  });

  // With a comparison of every two items, it would not end within the limit of the runner, which it notices when a test gives way.
  it('about changes take as long as a list of type map, not as its square', async () => {
    const list = {
      type: 'array',
      items: object({ name: { type: 'string' }, size: { ...integer, ...rule('self >= oldSelf') } }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    };
    const sized = (size: number) =>
      Array.from({ length: 20_000 }, (_, index) => ({ name: `item-${index}`, size }));
    const [before, next] = [{ list: sized(1) }, { list: sized(2).reverse() }];
    expect(faultsOf(object({ list }), next, { before })).toEqual([]);
    await delay(0);
    expect(faultsOf(object({ list }), before, { before: next })).toHaveLength(100);
  });

  it('of whole objects see the name and the spec', () => {
    const schema = object(
      { a: integer },
      { 'x-kubernetes-version': { schema: rule("self.metadata.name == 'default' || self.spec.a > 1") } },
    );
    expect(faultsOf(schema, { a: 1 }, { name: 'default' })).toEqual([]);
    expect(faultsOf(schema, { a: 1 })).toHaveLength(1);
  });

  it.each([
    ['unknown.function(self)', 'unknown'],
    ['self.a +', 'rule'],
    ['jwt(self)', 'jwt'],
  ])('that cannot be enforced are named: %s', (text) => {
    const rules = compileRules(object({ field: { type: 'string', ...rule(text) } }) as Json);
    expect(rules?.faults).toEqual([
      {
        path: '/properties/field/x-kubernetes-validations/0/rule',
        message: expect.stringMatching(/^cannot be enforced: .*: /),
      },
    ]);
    expect(rules?.faults[0]?.message).toContain(text);
  });

  it.each([['text'], [{ rule: 'self.a > 1' }], [true]])('are a list, and not %j', (keyword) => {
    const schema = object({ field: { type: 'string', 'x-kubernetes-validations': keyword } });
    expect(compileRules(schema as Json)?.faults).toEqual([
      { path: '/properties/field/x-kubernetes-validations', message: 'must be a list of rules' },
    ]);
  });

  it.each([
    ['self.matches("[a-z")', '"[a-z"', 'missing closing ]'],
    ['[self].all(x, x != "" && !x.matches(r"a(?!b)"))', '"a(?!b)"', 'invalid'],
    ['self == "" || self.find("(") == self', '"("', 'missing closing )'],
    ['size(self.findAll("a**", 2)) > 0 ? true : false', '"a**"', 'invalid'],
    ['{"a": self.matches("\\\\p{Nothing}")}["a"]', 'p{Nothing}', 'invalid'],
  ])('with a constant regular expression that is not valid are named: %s', (text, pattern, why) => {
    const rules = compileRules(object({ field: { type: 'string', ...rule(text) } }) as Json);
    expect(rules?.faults).toEqual([
      {
        path: '/properties/field/x-kubernetes-validations/0/rule',
        message: expect.stringMatching(
          /^cannot be enforced: the regular expression ".*" is not valid \(.*\): /,
        ),
      },
    ]);
    expect(rules?.faults[0]?.message).toContain(pattern);
    expect(rules?.faults[0]?.message).toContain(why);
  });

  it('with regular expressions that are computed, or mentioned in strings, can be enforced', () => {
    for (const text of [
      'self.matches("[" + self + "]")',
      'self != "x.matches(\'[\')"',
      'self.find(self) == ""',
    ])
      expect(compileRules(object({ field: { type: 'string', ...rule(text) } }) as Json)?.faults).toEqual([]);
  });

  it('of a status are checked where the definition is', () => {
    const status = { type: 'string', ...rule('jwt(self)') };
    const schema = object({}, { 'x-kubernetes-version': { schema: object({ status }) } });
    expect(compileRules(schema as Json)?.faults[0]?.path).toBe(
      '/x-kubernetes-version/schema/properties/status/x-kubernetes-validations/0/rule',
    );
  });

  it('about changes of items without identity cannot be enforced', () => {
    const list = { type: 'array', items: { ...integer, ...rule('self >= oldSelf') } };
    expect(compileRules(object({ list }) as Json)?.faults[0]?.message).toContain(
      'oldSelf has no counterpart',
    );
  });
});
