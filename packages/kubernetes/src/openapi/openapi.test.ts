import { type JsonObject, parseValue } from '@platform/resources';
import type { OpenApiFormat, OpenApiKind } from './kinds.ts';
import { openApiV2 } from './v2.ts';
import { openApiIndex, openApiV3 } from './v3.ts';

const read = (value: unknown) => parseValue(JSON.stringify(value)) as JsonObject;

const widget: OpenApiKind = {
  group: 'example.dev',
  version: 'v1',
  kind: 'Widget',
  listKind: 'WidgetList',
  plural: 'widgets',
  isNamespaced: true,
  verbs: 'all',
  hasStatus: true,
  hasScale: false,
  hasDeleteCollection: true,
  isBuiltIn: false,
  fingerprint: 'u1 1',
  schema: () =>
    read({
      type: 'object',
      description: 'A widget',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object' },
        spec: {
          type: 'object',
          properties: {
            size: { type: 'integer', minimum: 1, exclusiveMinimum: true },
            free: { type: 'object', nullable: true, properties: { a: { type: 'string' } } },
          },
        },
      },
    }),
};
const namespace = {
  ...widget,
  group: '',
  kind: 'Namespace',
  listKind: 'NamespaceList',
  plural: 'namespaces',
  isNamespaced: false,
  hasDeleteCollection: false,
  isBuiltIn: true,
};
const hash = (text: string) => String(text.length);

function documentOf(format: OpenApiFormat, ...kinds: readonly OpenApiKind[]): string {
  const paths = kinds.map((kind) => format.paths(kind)).join(',');
  const schemas = kinds.map((kind) => format.schemas(kind)).join(',');
  return `${format.head('v1.35')}${paths}${format.between},${schemas}${format.end}`;
}

/** Everything that a document refers to. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' ? [member as string] : references(member),
  );
}

describe('/openapi/v3', () => {
  it('names the lists of a kind as they are served', () => {
    const document = documentOf(openApiV3, { ...widget, listKind: 'Widgets' });
    expect(document).not.toContain('WidgetList');
    const { paths, components } = JSON.parse(document);
    const name = 'dev.example.v1.Widgets';
    expect(components.schemas[name]['x-kubernetes-group-version-kind']).toEqual([
      { group: 'example.dev', version: 'v1', kind: 'Widgets' },
    ]);
    const { get } = paths['/apis/example.dev/v1/widgets'];
    expect(references(get)).toContain(`#/components/schemas/${name}`);
  });

  it('lists the documents with a hash that changes with their kinds', () => {
    const { paths } = JSON.parse(openApiIndex([widget, namespace], hash));
    expect(Object.keys(paths)).toEqual(['apis/example.dev/v1', 'api/v1']);
    expect(paths['api/v1'].serverRelativeURL).toMatch(/^\/openapi\/v3\/api\/v1\?hash=\d+$/);
    const changed = JSON.parse(openApiIndex([{ ...widget, fingerprint: 'u1 22' }, namespace], hash)).paths;
    expect(changed['apis/example.dev/v1']).not.toEqual(paths['apis/example.dev/v1']);
    expect(changed['api/v1']).toEqual(paths['api/v1']);
  });

  it('describes a kind by its schema, and its paths by the kind', () => {
    const document = JSON.parse(documentOf(openApiV3, widget));
    const schema = document.components.schemas['dev.example.v1.Widget'];
    expect(schema).toMatchObject({
      required: ['spec'],
      properties: { spec: { properties: { size: { minimum: 1, exclusiveMinimum: true } } } },
      'x-kubernetes-group-version-kind': [{ group: 'example.dev', version: 'v1', kind: 'Widget' }],
    });
    const item = document.paths['/apis/example.dev/v1/namespaces/{namespace}/widgets/{name}'];
    expect(item.patch.parameters.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['dryRun', 'fieldValidation']),
    );
    expect(Object.keys(item.patch.requestBody.content)).not.toContain(
      'application/strategic-merge-patch+json',
    );
    expect(document.paths).toHaveProperty([
      '/apis/example.dev/v1/namespaces/{namespace}/widgets/{name}/status',
    ]);
  });

  it('has other paths for other names and shapes of kinds', () => {
    const gear = { ...widget, group: 'a-b.other.dev', kind: 'Gear', plural: 'gears', isNamespaced: false };
    const { paths } = JSON.parse(documentOf(openApiV3, widget, gear, namespace));
    expect(paths['/api/v1/namespaces']).not.toHaveProperty('delete');
    const item = paths['/apis/a-b.other.dev/v1/gears/{name}'];
    expect(item.get.operationId).toBe('get_a_b_other_dev_v1_gears');
    expect(item.get['x-kubernetes-group-version-kind']).toEqual({
      group: 'a-b.other.dev',
      version: 'v1',
      kind: 'Gear',
    });
    expect(references(item)).toContain('#/components/schemas/dev.other.a-b.v1.Gear');
    expect(Object.keys(paths).filter((path) => path.includes('gears'))).toHaveLength(3);
    expect(Object.keys(paths).filter((path) => path.includes('widgets'))).toHaveLength(4);
  });

  it('refers only to what it contains', () => {
    const document = JSON.parse(documentOf(openApiV3, widget));
    for (const reference of references(document))
      expect(document.components.schemas).toHaveProperty([reference.split('/').at(-1) ?? '']);
  });
});

describe('/openapi/v2', () => {
  it('is made of parts of kinds, without keywords that Swagger 2.0 lacks', () => {
    const document = JSON.parse(documentOf(openApiV2, widget, namespace));
    expect(document.definitions['dev.example.v1.Widget'].properties.spec.properties).toEqual({
      size: { type: 'integer', minimum: 1, exclusiveMinimum: true },
      free: {},
    });
    expect(document.paths['/api/v1/namespaces/{name}'].patch.consumes).toContain(
      'application/strategic-merge-patch+json',
    );
    for (const reference of references(document))
      expect(document.definitions).toHaveProperty([reference.split('/').at(-1) ?? '']);
  });
});
