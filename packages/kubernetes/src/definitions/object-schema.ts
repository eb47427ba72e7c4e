import { type JsonObject, type JsonValue, stringOf } from '@platform/resources';
import { toJsonSchema } from './to-json-schema.ts';
import { newBudget, toStructuralSchema } from './to-structural-schema.ts';
import { jsonValueOf, members, objectOf } from './values.ts';

/**
 * The member of a version's schema that keeps the rest of a version of a CustomResourceDefinition: the schema around `spec`, subresources and
 * deprecation. JSON Schema ignores it. A schema that has it came from Kubernetes, so fields that it does not declare are pruned.
 */
export const versionKeyword = 'x-kubernetes-version';

/** The version keyword of a stored schema, if it came from Kubernetes. */
export function keptVersion(schema: JsonObject | undefined): JsonObject | undefined {
  return objectOf(schema?.get(versionKeyword));
}

const openObject = jsonValueOf({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });

/**
 * The structural schema of whole objects of a version, `status` and metadata included, from the JSON Schema of its spec. For a version
 * that came from Kubernetes this is the schema that was applied.
 */
export function objectSchema(schema: JsonValue | undefined, description?: JsonValue): JsonObject {
  const stored = objectOf(schema);
  const kept = keptVersion(stored);
  const unknown = kept === undefined ? 'preserve' : 'prune';
  const spec =
    schema === undefined || schema === 'null'
      ? (openObject as JsonObject)
      : toStructuralSchema(schema, { root: schema, unknown, budget: newBudget(unknown) });
  const around = objectOf(kept?.get('schema'));
  if (around === undefined) return nativeObject(spec, stored, description);
  const properties = objectOf(around.get('properties'));
  if (!properties?.has('spec')) return around;
  const filled = new Map([...properties].map(([name, part]) => [name, name === 'spec' ? spec : part]));
  return new Map([...around].map(([name, part]) => [name, name === 'properties' ? filled : part]));
}

/** The JSON Schema of `status`, from the schema of a version; null when that does not come from Kubernetes, or says nothing of it. */
export function statusJsonSchema(schema: JsonValue): JsonObject | null {
  const around = objectOf(keptVersion(objectOf(schema))?.get('schema'));
  const status = objectOf(objectOf(around?.get('properties'))?.get('status'));
  // Its faults were found when the definition was written.
  return status === undefined ? null : toJsonSchema(status, '', []);
}

/** The JSON Schema of the restrictions of `metadata.name` and `metadata.generateName`; null when the version has none. */
export function metadataJsonSchema(schema: JsonValue): JsonObject | null {
  const around = objectOf(keptVersion(objectOf(schema))?.get('schema'));
  const metadata = objectOf(objectOf(around?.get('properties'))?.get('metadata'));
  const properties = [...(objectOf(metadata?.get('properties')) ?? [])]
    .filter(([name]) => name === 'name' || name === 'generateName')
    .map(([name, part]) => [name, toJsonSchema(part, '', [])] as const);
  return properties.length === 0 ? null : new Map([['properties', new Map(properties)]]);
}

function nativeObject(
  spec: JsonObject,
  stored: JsonObject | undefined,
  description: JsonValue | undefined,
): JsonObject {
  if (stringOf(spec.get('type')) === undefined) spec.set('type', '"object"');
  const text = jsonValueOf({ type: 'string' });
  const properties = members({
    apiVersion: text,
    kind: text,
    metadata: jsonValueOf({ type: 'object' }),
    spec,
    status: openObject,
  });
  return members({ description: description ?? stored?.get('title'), type: '"object"', properties });
}
