import type { JsonObject, JsonValue } from '@platform/resources';
import { jsonValueOf, members, objectOf } from '../definitions/values.ts';
import { componentOf, listComponentOf, type OpenApiKind } from './kinds.ts';
import { metaName, typeMembers } from './meta-schemas.ts';

/** The schemas of the kind and of its list, by component. `convert` brings the schema into the dialect of the document. */
export function componentsOf(
  kind: OpenApiKind,
  ref: (component: string) => object,
  convert: (schema: JsonObject) => JsonObject = (schema) => schema,
): JsonObject {
  const { group, version } = kind;
  const name = componentOf(kind);
  const listMembers = {
    ...typeMembers(),
    metadata: ref(metaName('ListMeta')),
    items: { type: 'array', items: ref(name) },
  };
  const identity = (of: string) => jsonValueOf([{ group, version, kind: of }]);
  return members({
    [name]: new Map([
      ...withMetadata(convert(kind.schema()), ref),
      ['x-kubernetes-group-version-kind', identity(kind.kind)],
    ]),
    ...(kind.verbs === 'create'
      ? {}
      : {
          [listComponentOf(kind)]: new Map([
            ...objectMembers(jsonValueOf({ type: 'object', required: ['items'], properties: listMembers })),
            ['x-kubernetes-group-version-kind', identity(kind.listKind)],
          ]),
        }),
  });
}

function objectMembers(value: JsonValue): [string, JsonValue][] {
  return [...(objectOf(value) ?? [])];
}

/** The schema with the types and descriptions of what every object has. */
function withMetadata(schema: JsonObject, ref: (component: string) => object): JsonObject {
  const metadata = jsonValueOf({
    ...ref(metaName('ObjectMeta')),
    description: 'The name, namespace, labels and the like.',
  });
  const common = objectOf(jsonValueOf(typeMembers())) ?? new Map();
  const declared = objectOf(schema.get('properties')) ?? new Map<string, JsonValue>();
  const properties = new Map([...common, ['metadata', metadata] as const, ...declared]);
  properties.set('metadata', metadata);
  for (const [name, value] of common) properties.set(name, value);
  return members({ ...Object.fromEntries(schema), properties });
}
