import { embeddedSchema } from './embedded-schema.ts';

const root = '#/components/schemas/farm.example.dev.v1.Barn.Spec';
const embed = (schema: boolean | Record<string, unknown>) =>
  embeddedSchema(schema, 'farm.example.dev.v1.Barn.Spec');

describe('a declared schema in the document', () => {
  it('keeps its references inside itself', () => {
    expect(embed({ allOf: [{ $ref: '#/$defs/a' }, { $ref: '#' }], $defs: { a: {} } })).toEqual({
      allOf: [{ $ref: `${root}/$defs/a` }, { $ref: root }],
      $defs: { a: {} },
    });
  });

  it.each([
    ['data', { const: { $ref: '#/a' }, enum: [{ $ref: '#' }], default: { $ref: '#' } }],
    ['a subschema with an $id', { items: { $id: 'urn:x', $ref: '#/$defs/a' } }],
    ['a reference to an anchor', { $ref: '#here' }],
  ])('leaves %s alone', (_name, schema) => {
    expect(embed(schema)).toEqual(schema);
  });

  it('takes a property called $ref for a property', () => {
    const schema = { properties: { $ref: { $ref: '#/$defs/a' } } };
    expect(embed(schema)).toEqual({ properties: { $ref: { $ref: `${root}/$defs/a` } } });
  });

  it('keeps a property called __proto__', () => {
    const text = '{"properties":{"__proto__":{"type":"string"}}}';
    expect(JSON.stringify(embed(JSON.parse(text)))).toBe(text);
  });

  it('shows bounds that JavaScript cannot hold as the largest it can', () => {
    expect(embed(JSON.parse('{"maximum":1e400,"minimum":-1e400}'))).toEqual({
      maximum: Number.MAX_VALUE,
      minimum: -Number.MAX_VALUE,
    });
  });

  it('says true and false in a form that every reader takes', () => {
    expect([embed(true), embed(false)]).toEqual([{}, { not: {} }]);
  });
});
