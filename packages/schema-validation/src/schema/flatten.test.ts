import type { Json } from '../json.ts';
import { SchemaDocument } from './document.ts';
import { flatten, TooManySubschemasError } from './flatten.ts';

const flat = (schema: Json, limit = 1_000): Json => flatten(new SchemaDocument(schema, 1_000), limit).schema;

describe('flattening', () => {
  it('keeps recursion at the root and drops unreachable definitions', () => {
    expect(flat({ $defs: { unused: { type: 'null' } }, items: { $ref: '#' } })).toEqual({
      items: { $ref: '#' },
    });
  });

  it('names each referenced place once', () => {
    const schema = {
      $defs: { a: { $anchor: 'b', type: 'null' } },
      items: { $ref: '#b' },
      not: { $ref: '#/$defs/a' },
    };
    expect(flat(schema)).toEqual({
      items: { $ref: '#/$defs/1' },
      not: { $ref: '#/$defs/1' },
      $defs: { 1: { type: 'null' } },
    });
  });

  it('drops every keyword that cannot fail, also those that only ajv knows', () => {
    const schema = {
      $async: true,
      nullable: true,
      discriminator: {},
      title: 'x',
      default: 1,
      format: 'x',
      type: 'null',
    };
    expect(flat(schema)).toEqual({ type: 'null' });
  });

  it('keeps both references of one schema object', () => {
    const schema = {
      $defs: { a: true, b: true },
      items: { $ref: '#/$defs/a', $dynamicRef: '#/$defs/b', allOf: [true] },
    };
    expect(flat(schema)).toMatchObject({
      items: { allOf: [true, { $ref: '#/$defs/1' }, { $ref: '#/$defs/2' }] },
    });
  });

  it('copies a dynamic reference once for each scope', () => {
    const list = { $id: 'list', $defs: { any: { $dynamicAnchor: 'item' } }, items: { $dynamicRef: '#item' } };
    const listOf = (type: string): Json => ({
      $id: `${type}s`,
      $defs: { item: { $dynamicAnchor: 'item', type } },
      $ref: 'list',
    });
    const schema = { $defs: { list }, properties: { a: listOf('string'), b: listOf('number') } };
    const { properties, $defs } = flat(schema) as Record<
      string,
      Record<string, { $ref: string; items: { $ref: string } }>
    >;
    const itemOf = (name: string): unknown => {
      const copy = $defs?.[properties?.[name]?.$ref.slice('#/$defs/'.length) as string];
      return $defs?.[copy?.items.$ref.slice('#/$defs/'.length) as string];
    };
    expect([itemOf('a'), itemOf('b')]).toEqual([{ type: 'string' }, { type: 'number' }]);
  });

  it('keeps names that every object inherits', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"null"},"constructor":true}}');
    expect(JSON.stringify(flat(schema))).toBe(JSON.stringify(schema));
  });

  it('rejects a schema with exponentially many scopes', () => {
    const names = Array.from({ length: 20 }, (_, index) => `r${index}`);
    const members = Object.fromEntries(names.map((name) => [name, { $ref: name }]));
    const resources = names.map((name) => [name, { $id: name, $dynamicAnchor: name, properties: members }]);
    expect(() => flat({ $defs: Object.fromEntries(resources), $ref: 'r0' }, 5_000)).toThrow(
      TooManySubschemasError,
    );
  });
});
