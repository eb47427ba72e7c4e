import type { Json } from '../json.ts';
import { defaultLimits } from '../limits.ts';
import { SchemaDocument } from '../schema/document.ts';
import { prepareSchema } from '../schema/prepare.ts';
import { compileAjv } from './ajv.ts';
import { compileHyperjump } from './hyperjump.ts';

const prepare = (schema: Json) => prepareSchema(new SchemaDocument(schema, 1_000), defaultLimits);

const parsed = (text: string): Json => JSON.parse(text);

/** For each construct that ajv evaluates incorrectly: a schema, a document, and whether it is valid. */
const flaws: readonly (readonly [string, Json, Json, boolean])[] = [
  [
    'contains counts every item as evaluated',
    { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false },
    [1, 2, 'foo'],
    false,
  ],
  [
    'a branch that failed counts as evaluated',
    { unevaluatedItems: { type: 'boolean' }, anyOf: [{ items: { type: 'string' } }, true] },
    ['yes', false],
    false,
  ],
  [
    'an if without then or else is not looked at',
    { if: { patternProperties: { foo: { type: 'string' } } }, unevaluatedProperties: false },
    { foo: 'a' },
    true,
  ],
  [
    'an inherited name counts as evaluated',
    { anyOf: [{ properties: { a: true } }, true], unevaluatedProperties: false },
    { toString: 1 },
    false,
  ],
  ['an inherited member counts as there', { required: ['toString'] }, {}, false],
  ['an inherited member is validated', { properties: { constructor: { type: 'number' } } }, {}, true],
  [
    'a declared __proto__ is left out',
    parsed('{"properties":{"__proto__":false}}'),
    parsed('{"__proto__":1}'),
    false,
  ],
];

describe('the choice of an engine', () => {
  it.each(flaws)('takes hyperjump if %s', async (_, schema, document, valid) => {
    const { flat, patterns, engine } = prepare(schema);
    const isValid = (failures: Iterable<unknown>) => [...failures].length === 0;
    expect(engine).toBe('hyperjump');
    expect(isValid((await compileHyperjump(flat))(document))).toBe(valid);
    // If this fails after an update of ajv, remove the construct from the list.
    expect(isValid(compileAjv(flat, patterns)(document))).toBe(!valid);
  });

  it.each<[string, Json]>([
    ['ordinary keywords', { type: 'object', required: ['a'], properties: { a: { enum: [] } } }],
    ['identifiers', { $id: 'https://a.example/', $defs: { b: { $id: 'b' } }, $ref: 'b' }],
    ['dynamic references', { $dynamicAnchor: 'n', items: { $dynamicRef: '#n' } }],
    ['the meta-schema', { $ref: 'https://json-schema.org/draft/2020-12/schema' }],
    ['unevaluatedItems that nothing refers to', { $defs: { a: { unevaluatedItems: false } } }],
  ])('takes ajv for %s', (_, schema) => {
    expect(prepare(schema).engine).toBe('ajv');
  });
});
