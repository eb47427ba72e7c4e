import type { Json } from '../json.ts';
import { SchemaDocument } from './document.ts';
import { referenceFaults } from './references.ts';

const faulty = (schema: Json): string[] => {
  const document = new SchemaDocument(schema, 1_000);
  return [...document.faults, ...referenceFaults(document)].map(({ path }) => path);
};

describe('references', () => {
  it.each<[string, Json]>([
    ['the root', { items: { $ref: '#' } }],
    ['a pointer with escapes', { $defs: { 'a/b~c%"': true }, $ref: '#/$defs/a~1b~0c%25%22' }],
    ['an item of a list', { allOf: [true, { $ref: '#/allOf/0' }] }],
    ['an anchor', { $defs: { a: { $anchor: 'here' } }, $ref: '#here' }],
    ['an embedded identifier', { $defs: { a: { $id: 'a' } }, $ref: 'a' }],
    [
      'an absolute identifier of a host that nobody asks',
      {
        $id: 'http://localhost:1234/root',
        $defs: { a: { $id: '/a', $anchor: 'b' } },
        $ref: 'http://localhost:1234/a#b',
      },
    ],
    [
      'a URN',
      {
        $id: 'urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed',
        $defs: { a: true },
        $ref: 'urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed#/$defs/a',
      },
    ],
    ['a file that is not opened', { $id: 'file:///etc/schema', $defs: { a: true }, $ref: '#/$defs/a' }],
    [
      'what stands under an unknown keyword',
      { definitions: { a: { $ref: '#/definitions/b' }, b: true }, $ref: '#/definitions/a' },
    ],
    [
      'an official meta-schema',
      {
        $ref: 'https://json-schema.org/draft/2020-12/schema#/properties/definitions',
        items: { $ref: 'https://json-schema.org/draft/2020-12/meta/core#/$defs/anchorString' },
      },
    ],
  ])('resolve to %s', (_, schema) => {
    expect(faulty(schema)).toEqual([]);
  });

  it.each<[string, Json, string]>([
    ['another document', { $ref: 'other.json' }, '/$ref'],
    ['another host', { items: { $ref: 'http://169.254.169.254/latest' } }, '/items/$ref'],
    ['a file', { $ref: 'file:///etc/passwd' }, '/$ref'],
    ['a pointer to nowhere', { $ref: '#/$defs/a' }, '/$ref'],
    ['a pointer to no schema', { $defs: {}, minimum: 1, $ref: '#/minimum' }, '/$ref'],
    ['what every object inherits', { $ref: '#/constructor' }, '/$ref'],
    ['an unknown anchor', { $dynamicRef: '#a' }, '/$dynamicRef'],
    ['an anchor of another resource', { $defs: { a: { $id: 'a', $anchor: 'b' } }, $ref: '#b' }, '/$ref'],
    ['an identifier that is only a value', { const: { $id: 'a' }, $ref: 'a' }, '/$ref'],
    ['a bad escape', { $ref: '#/%zz' }, '/$ref'],
    ['an invalid URI', { $ref: 'http://[' }, '/$ref'],
    ['another draft', { $ref: 'http://json-schema.org/draft-07/schema#' }, '/$ref'],
    ['a definition that nothing reaches but leads nowhere', { $defs: { a: { $ref: 'b' } } }, '/$defs/a/$ref'],
    ['a text that is no string', { $ref: 1 }, '/$ref'],
  ])('do not resolve to %s', (_, schema, path) => {
    expect(faulty(schema)).toEqual([path]);
  });
});

describe('identifiers', () => {
  it.each<[string, Json, string]>([
    ['twice', { $defs: { a: { $id: 'x' }, b: { $id: 'x' } } }, '/$defs/b/$id'],
    [
      'twice as an anchor',
      { $defs: { a: { $anchor: 'x' }, b: { $dynamicAnchor: 'x' } } },
      '/$defs/b/$dynamicAnchor',
    ],
    ['in the place of a meta-schema', { $id: 'https://json-schema.org/draft/2020-12/schema' }, '/$id'],
    [
      'of another dialect',
      { $defs: { a: { $schema: 'http://json-schema.org/draft-07/schema#' } } },
      '/$defs/a/$schema',
    ],
    ['that are invalid URIs', { $id: 'http://[' }, '/$id'],
  ])('are rejected %s', (_, schema, path) => {
    expect(faulty(schema)).toEqual([path]);
  });

  it('may repeat in different resources, and `$schema` may appear anywhere', () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    expect(
      faulty({ $anchor: 'x', $schema, $defs: { a: { $id: 'a', $anchor: 'x' }, b: { $schema } } }),
    ).toEqual([]);
  });

  it('are not read beyond the maximum number of subschemas', () => {
    const document = new SchemaDocument({ allOf: Array(20).fill(true) }, 10);
    expect(document.faults).toEqual([{ path: '/allOf/9', message: 'has more than 10 subschemas' }]);
  });
});
