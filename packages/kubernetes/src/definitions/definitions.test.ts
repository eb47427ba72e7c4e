import { Problem } from '@platform/kernel';
import { type JsonObject, type JsonValue, parseValue, renderValue } from '@platform/resources';
import { toCrdSpec, toCrdStatus } from './to-crd.ts';
import { toDefinitionSpec } from './to-definition-spec.ts';

const read = (value: unknown) => parseValue(JSON.stringify(value)) as JsonObject;
const plain = (value: JsonValue) => JSON.parse(renderValue(value));

const widget = (specSchema: object, more: { root?: object; version?: object; spec?: object } = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.dev' },
  spec: {
    group: 'example.dev',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'], categories: ['all'] },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              metadata: { type: 'object' },
              spec: specSchema,
              status: { type: 'object', properties: { phase: { type: 'string' } } },
            },
            ...more.root,
          },
        },
        subresources: { status: {} },
        ...more.version,
      },
    ],
    ...more.spec,
  },
});

const register = (crd: object, stored: JsonObject | null = null) => toDefinitionSpec(read(crd), stored);
const specSchema = (schema: object) => plain(register(widget(schema))).versions[0].schema;

function faultsOf(crd: object): Record<string, string> {
  try {
    register(crd);
  } catch (error) {
    if (error instanceof Problem)
      return Object.fromEntries((error.errors ?? []).map(({ path, message }) => [path, message]));
    throw error;
  }
  return {};
}

describe('a CustomResourceDefinition', () => {
  it('registers a kind below Organization, or root-scoped', () => {
    const namespaced = plain(register(widget({ type: 'object' })));
    expect(namespaced).toMatchObject({
      group: 'example.dev',
      kind: 'Widget',
      plural: 'widgets',
      parent: { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization' },
      shortNames: ['wd'],
      categories: ['all'],
    });
    const cluster = plain(register(widget({ type: 'object' }, { spec: { scope: 'Cluster' } })));
    expect(cluster).not.toHaveProperty('parent');
  });

  it.each<[string, object, object]>([
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'exclusive bounds',
      { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9 },
      { type: 'integer', exclusiveMinimum: 1, maximum: 9 },
    ],
    [
      'int-or-string',
      { 'x-kubernetes-int-or-string': true },
      { 'x-kubernetes-int-or-string': true, type: ['integer', 'string'] },
    ],
    [
      'sets',
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', uniqueItems: true },
    ],
    ['patterns of Go', { type: 'string', pattern: '\\A[\\w\\-]+\\z' }, { pattern: '^[\\w\\-]+$' }],
    [
      'the flag of Go that ignores case',
      { type: 'string', pattern: '^(?i)(on|off)?[a-c_\\d]$' },
      { pattern: '^([oO][nN]|[oO][fF][fF])?[a-cA-C_\\d]$' },
    ],
    [
      'the same flag in a group alone',
      { type: 'string', pattern: '^((?i)a|k)b(?i:c)d\\(?i\\)$' },
      { pattern: '^([aA]|[kK\u212a])b(?:[cC])d\\(?i\\)$' },
    ],
    ['escapes of Go', { type: 'string', pattern: '^a\\@b$' }, { pattern: '^a@b$' }],
  ])('converts %s, and shows what was applied', (_name, field, expected) => {
    const schema = { type: 'object', properties: { field } };
    expect(specSchema(schema).properties.field).toMatchObject(expected);
    const shown = plain(toCrdSpec(register(widget(schema))));
    expect(shown.versions[0].schema.openAPIV3Schema.properties.spec).toEqual(schema);
  });

  it.each(['(?s)a.b', '(?i)\u00e9', '(?i)[a-Z]', '(?i)\\x4a', '(?i)\\pL', 'a(?i)*', '(?i)[a-c'])(
    'refuses the pattern %s, which ECMAScript cannot say',
    (pattern) => {
      const schema = { type: 'object', properties: { field: { type: 'string', pattern } } };
      expect(() => register(widget(schema))).toThrow('Go and ECMAScript have in common');
    },
  );

  it('demands what an embedded resource and formats need', () => {
    const properties = {
      template: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      port: { type: 'integer', format: 'int32' },
      timeout: { type: 'string', format: 'duration' },
    };
    const converted = specSchema({ type: 'object', properties }).properties;
    expect(converted.template.allOf[0].required).toEqual(['apiVersion', 'kind']);
    expect(converted.port.allOf[0].maximum).toBe(2147483647);
    expect(converted.timeout).not.toHaveProperty('format');
    expect(new RegExp(converted.timeout.allOf[0].pattern).test('1h30m')).toBe(true);
    expect(new RegExp(converted.timeout.allOf[0].pattern).test('P1D')).toBe(false);
  });

  it('is shown as it was applied, with what the server adds', () => {
    const crd = widget(
      { type: 'object', required: ['size'], properties: { size: { type: 'integer', default: 3 } } },
      {
        root: { description: 'A widget', 'x-kubernetes-validations': [{ rule: 'self.spec.size > 1' }] },
        version: {
          deprecated: true,
          deprecationWarning: 'use v2',
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
          },
          additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
          selectableFields: [{ jsonPath: '.spec.size' }, { jsonPath: '.status.phase' }],
        },
        spec: { names: { plural: 'widgets', kind: 'Widget', listKind: 'Widgets', singular: 'wid' } },
      },
    );
    expect(plain(toCrdSpec(register(crd)))).toEqual({ ...crd.spec, conversion: { strategy: 'None' } });
  });

  it('has selectable fields of the status apart from those of the spec, and refuses others at their place', () => {
    const schema = { type: 'object', properties: { size: { type: 'integer' } } };
    const selecting = (...paths: string[]) =>
      widget(schema, { version: { selectableFields: paths.map((jsonPath) => ({ jsonPath })) } });
    const [version] = plain(register(selecting('.status.phase'))).versions;
    expect(version).not.toHaveProperty('selectableFields');
    expect(version.schema['x-kubernetes-version'].selectableFields).toEqual([{ jsonPath: '.status.phase' }]);
    const stored = register(selecting('.status.phase'));
    expect(plain(register(selecting('.spec.size'), stored)).versions[0]).toMatchObject({
      selectableFields: [{ jsonPath: '.spec.size' }],
      schema: { 'x-kubernetes-version': expect.not.objectContaining({ selectableFields: [] }) },
    });
    const at = '/spec/versions/0/selectableFields';
    expect(faultsOf(selecting('.status.none', '.status', '.status.phase'))).toEqual({
      [`${at}/0/jsonPath`]: 'must be a field that the schema declares',
      [`${at}/1/jsonPath`]: 'must be a simple path below .status, such as .status.phase',
    });
    expect(faultsOf(selecting('.status.phase', '.status.phase'))).toEqual({ [at]: 'must name each once' });
    const many = Array.from({ length: 8 }, (_, index) => `.spec.f${index}`);
    expect(faultsOf(selecting('.status.phase', ...many))).toEqual({ [at]: 'must have at most 8 entries' });
  });

  it('keeps every digit', () => {
    const text = renderValue(read(widget({ type: 'object', properties: { n: { type: 'number' } } })));
    const crd = parseValue(text.replace('"number"', '"number","maximum":9223372036854775807,"default":1.10'));
    const shown = renderValue(toCrdSpec(toDefinitionSpec(crd as JsonObject, null)));
    expect(shown).toContain('"maximum":9223372036854775807,"default":1.10');
  });

  it('reports all faults by their field', () => {
    const field = {
      type: 'array',
      uniqueItems: true,
      items: { $ref: '#/definitions/x' },
      'x-kubernetes-list-type': 'map',
    };
    const crd = widget(
      { type: 'object', properties: { field, open: {} } },
      {
        root: {
          properties: { spec: { type: 'object', properties: { field, open: {} } }, data: { type: 'object' } },
        },
        spec: {
          conversion: { strategy: 'Webhook' },
          scope: 'Galaxy',
          preserveUnknownFields: true,
          names: { plural: 'widgets', kind: 'Widget', listKind: 'widget "list"' },
        },
      },
    );
    const root = '/spec/versions/0/schema/openAPIV3Schema/properties';
    expect(faultsOf(crd)).toEqual({
      '/spec/scope': 'must be Namespaced or Cluster',
      '/spec/preserveUnknownFields': expect.any(String),
      '/spec/names/listKind': expect.stringContaining('UpperCamelCase'),
      '/spec/conversion/strategy': expect.stringContaining('must be None'),
      [`${root}/data`]: 'data cannot be stored: the platform stores spec and status only',
      [`${root}/spec/properties/field/uniqueItems`]: expect.stringContaining('list-type: set'),
      [`${root}/spec/properties/field/items/$ref`]: 'is not allowed in a structural schema',
      [`${root}/spec/properties/field/items/type`]: 'is required in a structural schema',
      [`${root}/spec/properties/field/x-kubernetes-list-map-keys`]: expect.any(String),
      [`${root}/spec/properties/open/type`]: 'is required in a structural schema',
    });
  });
});

describe('a ResourceDefinition', () => {
  const native = read({
    group: 'example.dev',
    kind: 'Page',
    plural: 'pages',
    parent: { apiVersion: 'example.dev/v1', kind: 'Site' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          $defs: { color: { type: 'string', enum: ['red'] } },
          type: 'object',
          properties: {
            color: { $ref: '#/$defs/color' },
            count: { type: ['integer', 'null'], exclusiveMinimum: 0 },
            kind: { const: 'a' },
            closed: { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
          },
          dependentRequired: { color: ['count'] },
        },
      },
    ],
    description: 'A page',
    allowedStatusControllerIds: ['builder'],
  });

  it('is shown in the dialect of Kubernetes', () => {
    const crd = plain(toCrdSpec(native));
    expect(crd).toMatchObject({
      scope: 'Namespaced',
      names: { plural: 'pages', kind: 'Page', singular: 'page', listKind: 'PageList' },
    });
    const root = crd.versions[0].schema.openAPIV3Schema;
    expect(root.description).toBe('A page');
    expect(root.properties.spec).toEqual({
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        color: { type: 'string', enum: ['red'] },
        count: { type: 'integer', nullable: true, minimum: 0, exclusiveMinimum: true },
        kind: { type: 'string', enum: ['a'] },
        closed: { type: 'object', properties: { a: { type: 'string' } } },
      },
    });
  });

  it('keeps its schema, parent and controllers when its CustomResourceDefinition changes something else', () => {
    const crd = plain(toCrdSpec(native));
    crd.names.shortNames = ['pg'];
    const next = plain(toDefinitionSpec(read({ spec: crd }), native));
    expect(next).toEqual({ ...plain(native), singular: 'page', shortNames: ['pg'] });
  });

  it('with references in circles is shown up to a depth', () => {
    const schema = {
      $ref: '#/$defs/tree',
      $defs: { tree: { properties: { left: { $ref: '#/$defs/tree' }, right: { $ref: '#/$defs/tree' } } } },
    };
    const circle = read({
      ...plain(native),
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    });
    expect(renderValue(toCrdSpec(circle)).length).toBeLessThan(3_000_000);
  });

  it('has the conditions that clients wait for', () => {
    const status = plain(toCrdStatus(native, '2026-01-01T00:00:00Z', null, []));
    expect(
      status.conditions.map(({ type, status: value }: Record<string, string>) => `${type}=${value}`),
    ).toEqual(['NamesAccepted=True', 'Established=True']);
    expect(status).toMatchObject({ acceptedNames: { kind: 'Page' }, storedVersions: ['v1'] });
  });
});
