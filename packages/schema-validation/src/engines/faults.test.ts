import type { Fault } from '@platform/kernel';
import { faultsOf } from '../compile.ts';
import type { Json } from '../json.ts';
import { defaultLimits } from '../limits.ts';
import { SchemaDocument } from '../schema/document.ts';
import { prepareSchema } from '../schema/prepare.ts';
import { compileAjv } from './ajv.ts';
import { compileHyperjump } from './hyperjump.ts';

const cases: readonly (readonly [Json, Json, ...string[]])[] = [
  [{ type: 'integer' }, 'x', ': must be an integer'],
  [{ type: ['string', 'null'] }, 1, ': must be a string or null'],
  [{ const: { a: 1 } }, {}, ': must be {"a":1}'],
  [{ enum: ['a', 2] }, 'b', ': must be one of "a", 2'],
  [{ enum: [] }, 'b', ': must be one of no value at all'],
  [{ properties: { replicas: { minimum: 1 } } }, { replicas: 0 }, '/replicas: must be >= 1'],
  [{ maximum: 1 }, 2, ': must be <= 1'],
  [{ exclusiveMinimum: 1, exclusiveMaximum: 1 }, 1, ': must be > 1', ': must be < 1'],
  [{ multipleOf: 0.1 }, 0.25, ': must be a multiple of 0.1'],
  [
    { minLength: 2, pattern: '^b' },
    'a',
    ': must have at least 2 characters',
    ': must match the pattern "^b"',
  ],
  [{ maxLength: 1 }, 'ab', ': must have at most 1 character'],
  [{ format: 'ipv4' }, 'x', ': must be a valid ipv4'],
  [{ minItems: 1 }, [], ': must have at least 1 item'],
  [
    { maxItems: 0, uniqueItems: true },
    [1, 1],
    ': must have at most 0 items',
    ': must not have two equal items',
  ],
  [{ required: ['a', 'b/c'] }, {}, '/a: is required', '/b~1c: is required'],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, '/b: is required because "a" is there'],
  [{ minProperties: 1 }, {}, ': must have at least 1 member'],
  [{ maxProperties: 0 }, { a: 1 }, ': must have at most 0 members'],
  [{ additionalProperties: false }, { a: 1, b: 2 }, '/a: is not allowed', '/b: is not allowed'],
  [{ properties: { a: false } }, { a: 1 }, '/a: is not allowed'],
  [{ propertyNames: { maxLength: 1 } }, { 'b/c': 1 }, '/b~1c: has a name that must have at most 1 character'],
  [{ not: {} }, 1, ': must not match the schema in "not"'],
  [{ oneOf: [true, true] }, 1, ': must match exactly one of the schemas in "oneOf"'],
  [JSON.parse('{ "if": true, "then": { "type": "string" } }'), 1, ': must be a string'],
  [{ $defs: { a: { type: 'string' } }, allOf: [{ $ref: '#/$defs/a' }] }, 1, ': must be a string'],
  [
    { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    1,
    ': must be a string',
    ': must be a boolean',
    ': must match at least one of the schemas in "anyOf"',
  ],
  [
    { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    [1],
    ': must have at least 2 items and at most 3 that match the schema in "contains"',
  ],
];

const described = ({ path, message }: Fault): string => `${path}: ${message}`;

describe('faults', () => {
  it.each(cases)(
    'of %j for %j are the same words from both engines',
    async (schema, document, ...expected) => {
      const { flat, patterns } = prepareSchema(new SchemaDocument(schema, 100), defaultLimits);
      for (const evaluate of [compileAjv(flat, patterns), await compileHyperjump(flat)])
        expect(faultsOf(evaluate, document, 100).map(described).sort()).toEqual([...expected].sort());
    },
  );

  it('are limited in number and distinct', () => {
    const schema = { items: { allOf: [{ type: 'string' }, { type: 'string' }] } };
    const { flat, patterns } = prepareSchema(new SchemaDocument(schema, 100), defaultLimits);
    const faults = faultsOf(compileAjv(flat, patterns), Array(1_000).fill(0), 10);
    expect(faults.map(({ path }) => path)).toEqual(Array.from({ length: 10 }, (_, index) => `/${index}`));
  });

  it('truncate long values', () => {
    const schema = { const: 'x'.repeat(1_000) };
    const { flat, patterns } = prepareSchema(new SchemaDocument(schema, 100), defaultLimits);
    expect(faultsOf(compileAjv(flat, patterns), 1, 10)[0]?.message).toHaveLength('must be '.length + 121);
  });
});
