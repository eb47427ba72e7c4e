import { setTimeout as delay } from 'node:timers/promises';
import { itemsOf, maxListMapKeys, mergeFaults, resourceType } from './field-type.ts';
import { type JsonValue, parseValue } from './json-value.ts';

const listOf = (properties: object, keys: readonly string[], more: object = {}) =>
  resourceType(
    JSON.stringify({
      properties: {
        list: {
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': keys,
          items: { properties, ...more },
        },
      },
    }),
  )
    .member('spec')
    .member('list');
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);
const items = (count: number) =>
  parseValue(`[${numbered(count).map((name) => `{"a":"${name}"}`)}]`) as readonly JsonValue[];

describe('a list of type map', () => {
  it('has its keys once, by name, and their defaults', () => {
    const type = listOf({ a: {}, b: { default: 'x' } }, ['b', 'a', 'b']);
    expect(type.keys).toEqual([
      { name: 'a', fallback: undefined },
      { name: 'b', fallback: '"x"' },
    ]);
    expect([...(itemsOf(items(1), type)?.keys() ?? [])]).toEqual(['k:{"a":"k0","b":"x"}']);
  });

  // Attack: each of fifty thousand items had an identity of ten thousand keys, or with a default of half a megabyte.
  it('is merged as a whole with too many keys, or without a default that is short', async () => {
    const keys = numbered(10_000);
    const defaults = Object.fromEntries(keys.map((name) => [name, { default: 1 }]));
    expect(listOf({ ...defaults, a: {} }, [...keys, 'a']).list).toBe('atomic');
    expect(listOf({ a: {} }, numbered(maxListMapKeys)).list).toBe('map');
    const long = listOf({ a: {}, b: { default: 'x'.repeat(500_000) } }, ['a', 'b']);
    const merged = itemsOf(items(50_000), long);
    await delay(0);
    expect(merged).toBeNull();
    expect(mergeFaults(items(1), long, '')).toHaveLength(1);
  });
});

// Attack: the type was made again for each of these members, each time through all schemas of `allOf`.
it('makes the type of values with the same schemas once', async () => {
  const allOf = Array.from({ length: 9_000 }, () => ({}));
  const spec = resourceType(JSON.stringify({ additionalProperties: { allOf } })).member('spec');
  const first = spec.member('first');
  const same = numbered(400_000).every((name) => spec.member(name) === first);
  await delay(0);
  expect(same).toBe(true);
});
