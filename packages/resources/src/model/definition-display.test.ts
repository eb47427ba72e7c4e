import { refusalOf } from '../../test/fixtures.ts';
import { validateDefinitionSpec } from '../rules/validate-definition.ts';

const schema = {
  type: 'object',
  properties: {
    color: { type: 'string' },
    tags: { type: 'array' },
    deep: { properties: { on: { type: 'boolean' } } },
  },
};
const spec = (version: object = {}, names: object = {}) => ({
  group: 'example.dev',
  kind: 'Widget',
  plural: 'widgets',
  ...names,
  versions: [{ name: 'v1', served: true, storage: true, schema, ...version }],
});

describe('how a kind is shown', () => {
  it('may be declared as in a CustomResourceDefinition', () => {
    const column = { name: 'Ready', type: 'string', priority: 1, description: 'whether it works' };
    const version = {
      additionalPrinterColumns: [
        { ...column, jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Tier', type: 'string', jsonPath: '.metadata.labels.example\\.dev' },
      ],
      selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.deep.on' }],
    };
    const names = { singular: 'widget', shortNames: ['wg'], categories: ['all'], description: 'A widget' };
    expect(() => validateDefinitionSpec(spec(version, names))).not.toThrow();
  });

  const selectable = (type: readonly string[]) => ({
    schema: { type: 'object', properties: { color: { type } } },
    selectableFields: [{ jsonPath: '.spec.color' }],
  });

  it.each([[['string', 'null']], [['null', 'integer']]])('may select by a field of type %j', (type) => {
    expect(() => validateDefinitionSpec(spec(selectable(type)))).not.toThrow();
  });

  it.each([
    [{ selectableFields: [{ jsonPath: '.spec.tags' }] }, '/spec/versions/0/selectableFields/0/jsonPath'],
    [selectable(['string', 'integer']), '/spec/versions/0/selectableFields/0/jsonPath'],
    [selectable(['null']), '/spec/versions/0/selectableFields/0/jsonPath'],
    [{ selectableFields: [{ jsonPath: '.spec.none' }] }, '/spec/versions/0/selectableFields/0/jsonPath'],
    [{ selectableFields: [{ jsonPath: '.metadata.name' }] }, '/spec/versions/0/selectableFields/0/jsonPath'],
    [{ selectableFields: [{ jsonPath: '.spec.tags[0]' }] }, '/spec/versions/0/selectableFields/0/jsonPath'],
    [
      {
        selectableFields: Array.from({ length: 9 }, (_, index) => ({ jsonPath: `.spec.f${index}` })),
        schema: null,
      },
      '/spec/versions/0/selectableFields',
    ],
    [
      { selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.color' }] },
      '/spec/versions/0/selectableFields',
    ],
    [
      { additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: '.a' }] },
      '/spec/versions/0/additionalPrinterColumns/0/type',
    ],
    [
      { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: 'a' }] },
      '/spec/versions/0/additionalPrinterColumns/0/jsonPath',
    ],
  ])('is refused: %j', (version, path) => {
    expect(refusalOf(() => validateDefinitionSpec(spec(version))).paths).toContain(path);
  });

  it('is refused with names that are no labels, or named twice', () => {
    const names = { singular: 'A b', shortNames: ['w', 'w'], categories: ['All'] };
    expect(refusalOf(() => validateDefinitionSpec(spec({}, names))).paths.sort()).toEqual([
      '/spec/categories/0',
      '/spec/shortNames',
      '/spec/singular',
    ]);
  });
});
