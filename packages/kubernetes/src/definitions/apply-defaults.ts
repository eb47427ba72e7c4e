import { cloneValue, type JsonObject, type JsonValue } from '@platform/resources';
import { isTrue, objectOf } from './values.ts';

/**
 * The value with the defaults of its structural schema, as the API server of Kubernetes applies them: null counts as absent where the schema
 * does not allow it. The value itself does not change.
 */
export function applyDefaults(schema: JsonObject | undefined, value: JsonValue): JsonValue {
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    const items = objectOf(schema.get('items'));
    return value.map((item) => applyDefaults(items, defaultForNull(items, item) ?? item));
  }
  if (!(value instanceof Map)) return value;
  const properties = objectOf(schema.get('properties'));
  const additional = objectOf(schema.get('additionalProperties'));
  const result: JsonObject = new Map();
  for (const [name, member] of value) {
    const part = objectOf(properties?.get(name)) ?? additional;
    const filled = member === 'null' ? withoutNull(part) : member;
    if (filled !== undefined) result.set(name, applyDefaults(part, filled));
  }
  for (const [name, part] of properties ?? []) {
    const missing = value.has(name) ? undefined : objectOf(part)?.get('default');
    if (missing !== undefined) result.set(name, applyDefaults(objectOf(part), cloneValue(missing)));
  }
  return result;
}

/** The result of a server-side apply, with the defaults of its spec. They belong to no manager, as in Kubernetes. */
export function withDefaults(schema: JsonObject | null, value: JsonValue): JsonValue {
  const resource = objectOf(value);
  if (schema === null || resource === undefined) return value;
  const given = resource.get('spec');
  const filled = applyDefaults(schema, new Map(given === undefined ? [] : [['spec', given]]));
  const spec = objectOf(filled)?.get('spec');
  return spec === undefined ? value : new Map(resource).set('spec', spec);
}

/** A member that is null stays when it may be null; otherwise the default replaces it, or it is left out. */
function withoutNull(schema: JsonObject | undefined): JsonValue | undefined {
  if (schema === undefined || isNullable(schema)) return 'null';
  return defaultForNull(schema, 'null');
}

function defaultForNull(schema: JsonObject | undefined, value: JsonValue): JsonValue | undefined {
  if (value !== 'null' || schema === undefined || isNullable(schema)) return undefined;
  const fallback = schema.get('default');
  return fallback === undefined ? undefined : cloneValue(fallback);
}

/** A schema without a type says nothing about null. */
function isNullable(schema: JsonObject): boolean {
  return isTrue(schema.get('nullable')) || !(schema.has('type') || schema.has('x-kubernetes-int-or-string'));
}
