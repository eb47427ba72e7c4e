import { setTimeout as delay } from 'node:timers/promises';
import { type JsonObject, parseValue, renderValue } from './json-value.ts';
import { schemaReferences } from './schema-references.ts';

/** The target of the reference in the member `a` of `properties`. */
function targetOf(schema: object): string | undefined {
  const root = parseValue(JSON.stringify(schema)) as JsonObject;
  const from = (root.get('properties') as JsonObject).get('a') as JsonObject;
  const target = schemaReferences(root).get(from);
  return target === undefined ? undefined : renderValue(target);
}

const at = ($ref: string, $defs: object = {}) => ({ properties: { a: { $ref } }, $defs });

describe('schemaReferences', () => {
  it.each([
    ['a pointer', at('#/$defs/b', { b: { type: 'null' } }), '{"type":"null"}'],
    ['an escaped pointer', at('#/$defs/b~1%25', { 'b/%': true }), 'true'],
    ['an anchor', at('#b', { c: { $anchor: 'b' } }), '{"$anchor":"b"}'],
    ['a dynamic anchor', at('#b', { c: { $dynamicAnchor: 'b' } }), '{"$dynamicAnchor":"b"}'],
    ['an identifier', at('b', { c: { $id: 'b' } }), '{"$id":"b"}'],
    [
      'an anchor below an identifier',
      at('b#c', { d: { $id: 'b', not: { $anchor: 'c' } } }),
      '{"$anchor":"c"}',
    ],
    ['an anchor of another identifier', at('#c', { d: { $id: 'b', not: { $anchor: 'c' } } }), undefined],
    ['a schema outside', at('https://elsewhere.example/b'), undefined],
    ['a fragment that is no text', at('#%'), undefined],
  ])('resolves %s', (_name, schema, expected) => {
    expect(targetOf(schema)).toBe(expected);
  });

  it('resolves a reference in a schema with an identifier from there', () => {
    const a = { $id: 'b', allOf: [{ $ref: '#/$defs/c' }], $defs: { c: { type: 'null' } } };
    const root = parseValue(JSON.stringify({ properties: { a } }));
    expect([...schemaReferences(root).values()].map(renderValue)).toEqual(['{"type":"null"}']);
  });
});

// Attack: each of these references became as long as the identifier above it, gigabytes together.
it('does not resolve references below an identifier of half a megabyte', async () => {
  const members = Object.fromEntries(
    Array.from({ length: 9_000 }, (_, index) => [`m${index}`, { $ref: 'x', $anchor: `a${index}` }]),
  );
  const root = parseValue(
    JSON.stringify({ $id: `https://a.example/${'n'.repeat(500_000)}/`, properties: members }),
  );
  const references = schemaReferences(root);
  await delay(0);
  expect(references.size).toBe(0);
});
