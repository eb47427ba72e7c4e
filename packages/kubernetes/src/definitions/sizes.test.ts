import { setTimeout as delay } from 'node:timers/promises';
import type { Problem } from '@platform/kernel';
import { type JsonObject, type JsonValue, parseValue } from '@platform/resources';
import { applyDefaults } from './apply-defaults.ts';
import { listKeyFaults } from './list-keys.ts';
import { objectSchema } from './object-schema.ts';
import { ecmaPattern } from './patterns.ts';
import { toJsonSchema } from './to-json-schema.ts';

const exact = (data: unknown) => parseValue(JSON.stringify(data));
const objectOf = (data: unknown) => exact(data) as JsonObject;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);
const membersOf = (names: readonly string[], value: unknown) =>
  Object.fromEntries(names.map((name) => [name, value]));

function codeOf(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return (error as Problem).code;
  }
}

// Without the bounds these tests would not end within the limit of the runner, which it notices when a test gives way, or within the memory.
describe('defaults', () => {
  const listOf = (properties: object) => objectOf({ properties: { list: { items: { properties } } } });
  const list = exact({ list: Array.from({ length: 200_000 }, () => ({})) });

  // Attack: a list of empty objects, and a default of a quarter of a megabyte for each.
  it('add so many characters at most', async () => {
    const code = codeOf(() => applyDefaults(listOf({ a: { default: 'x'.repeat(250_000) } }), list));
    await delay(0);
    expect(code).toBe('payload_too_large');
  });

  // Attack: ten thousand properties without a default, which were looked through for each of these objects.
  it('are looked for once in a schema', async () => {
    const filled = applyDefaults(listOf({ ...membersOf(numbered(10_000), {}), a: { default: 1 } }), list);
    await delay(0);
    expect(((filled as JsonObject).get('list') as JsonValue[]).at(-1)).toEqual(new Map([['a', '1']]));
  });
});

describe('lists of type map', () => {
  const schemaOf = (keys: readonly string[], required = keys) => ({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
    items: { type: 'object', properties: membersOf(keys, { type: 'string' }), required },
  });

  it('have at most 32 keys', async () => {
    const faults: { path: string; message: string }[] = [];
    toJsonSchema(exact(schemaOf(numbered(33))), '', faults);
    expect(faults).toEqual([{ path: '/x-kubernetes-list-map-keys', message: 'must have at most 32 keys' }]);
    // Attack: each of these items was compared by twenty thousand keys.
    const items = exact(Array.from({ length: 50_000 }, () => ({})));
    const found = listKeyFaults(objectOf(schemaOf(numbered(20_000))), items);
    await delay(0);
    expect(found).toEqual([]);
  });
});

describe('the structural schema of a definition that was not made by Kubernetes', () => {
  // Attack: each level refers to the next one twice, in a schema that says of itself that it came from Kubernetes: 2^40 subschemas.
  it.each([{}, { 'x-kubernetes-version': {} }])('has bounds with references and %j', async (version) => {
    const below = { $ref: '#/$defs/a' };
    const schema = { ...version, ...below, $defs: { a: { properties: { x: below, y: below } } } };
    const shown = objectSchema(exact(schema));
    await delay(0);
    expect(shown.has('properties')).toBe(true);
  });

  // Attack: tens of thousands of keywords were copied for each of two thousand references, 32 times in a chain.
  it('has bounds for what references copy', async () => {
    const keywords = membersOf(numbered(40_000), 1);
    const chain = Array.from({ length: 30 }, (_, index) => [`c${index}`, { $ref: `#/$defs/c${index + 1}` }]);
    const $defs = { ...Object.fromEntries(chain), c30: keywords };
    const schema = { properties: membersOf(numbered(2_000), { $ref: '#/$defs/c0' }), $defs };
    const shown = objectSchema(exact(schema));
    await delay(0);
    expect(shown.has('properties')).toBe(true);
  });

  it('declares the members of all parts, the first of one name', () => {
    const allOf = [{ properties: { a: { title: 'one' }, b: {} } }, { properties: { a: { title: 'two' } } }];
    const spec = (objectSchema(exact({ allOf })).get('properties') as JsonObject).get('spec') as JsonObject;
    const declared = spec.get('properties') as JsonObject;
    expect([...declared.keys()].sort()).toEqual(['a', 'b']);
    expect((declared.get('a') as JsonObject).get('title')).toBe('"one"');
  });
});

// Attack: the end of the braces was looked for to the end of the text, for each of these; a longer pattern is refused by its length.
it('reads patterns with very many open braces', async () => {
  const source = `(?-i)${'\\p{'.repeat(1_350)}`;
  const patterns = Array.from({ length: 10_000 }, () => ecmaPattern(source));
  await delay(0);
  expect(new Set(patterns)).toEqual(new Set([null]));
  expect(ecmaPattern(source.repeat(2))).toBe(source.repeat(2));
});
