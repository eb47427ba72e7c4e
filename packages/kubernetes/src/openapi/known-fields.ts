import type { JsonObject, JsonValue } from '@platform/resources';
import { jsonValueOf, members, objectOf } from '../definitions/values.ts';
import { apiVersionOf, type KubernetesKind } from '../model/kind.ts';
import { builtInSchema } from './built-in-schemas.ts';

const open = jsonValueOf({ 'x-kubernetes-preserve-unknown-fields': true });

/** Keywords of the schemas in a CustomResourceDefinition without schemas below them. */
const plainKeywords = [
  ...['id', '$schema', '$ref', 'description', 'type', 'format', 'title', 'default', 'enum', 'required'],
  ...['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'multipleOf', 'maxLength', 'minLength'],
  ...['pattern', 'maxItems', 'minItems', 'uniqueItems', 'maxProperties', 'minProperties', 'dependencies'],
  ...['externalDocs', 'example', 'nullable', 'x-kubernetes-preserve-unknown-fields'],
  ...['x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string', 'x-kubernetes-list-map-keys'],
  ...['x-kubernetes-list-type', 'x-kubernetes-map-type', 'x-kubernetes-validations'],
];
/** Keywords whose values are a schema, or a list of schemas. */
const schemaKeywords = ['items', 'additionalItems', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf'];
/** Keywords whose values are schemas by name. */
const namedSchemas = ['properties', 'patternProperties', 'definitions'];

/** The fields that a schema in a CustomResourceDefinition may have, at any depth: it contains itself. */
function schemaFields(): JsonObject {
  const properties: JsonObject = new Map(plainKeywords.map((name): [string, JsonValue] => [name, open]));
  const one: JsonObject = new Map([['properties', properties]]);
  one.set('items', one);
  const byName = members({ additionalProperties: one });
  for (const name of schemaKeywords) properties.set(name, one);
  for (const name of namedSchemas) properties.set(name, byName);
  return one;
}

function withSchemaFields(crd: JsonObject): JsonObject {
  const within = (schema: JsonValue | undefined, name: string) =>
    objectOf(objectOf(objectOf(schema)?.get('properties'))?.get(name));
  const version = objectOf(within(within(crd, 'spec'), 'versions')?.get('items'));
  const schema = objectOf(within(version, 'schema')?.get('properties'));
  schema?.set('openAPIV3Schema', schemaFields());
  return crd;
}

const known = new Map<string, JsonObject>();

/**
 * The fields of a kind that Kubernetes has itself, as a structural schema to prune by; null for other kinds. Objects with others are refused,
 * warned about or pruned, as `fieldValidation` says.
 */
export function knownFields(kind: KubernetesKind): JsonObject | null {
  if (kind.form === 'resource') return null;
  const found = known.get(kind.kind);
  if (found !== undefined) return found;
  const schema = builtInSchema(apiVersionOf(kind), kind.kind);
  const fields = kind.form === 'definition' ? withSchemaFields(schema) : schema;
  known.set(kind.kind, fields);
  return fields;
}
