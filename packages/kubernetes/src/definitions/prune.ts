import type { JsonObject, JsonValue } from '@platform/resources';
import { isTrue, objectOf, without } from './values.ts';

/** Members that every object has, whatever its schema says. */
const objectMembers = ['apiVersion', 'kind', 'metadata'];

/** Unknown fields that are named, at most. All are removed. */
const maxNamed = 100;

/** An object without the fields that its schema does not know, and the paths of those, as kubectl shows them: `spec.items[0].color`. */
export interface Pruned {
  readonly object: JsonObject;
  readonly unknown: readonly string[];
}

/**
 * Removes what the structural schema of whole objects does not declare. The object itself does not change. `status.controllers`, where an object
 * shows the status slots of others, is known to every kind: clients send back what they have read.
 */
export function pruneUnknown(schema: JsonObject, object: JsonObject): Pruned {
  const unknown: string[] = [];
  const { controllers, rest } = withoutControllers(object);
  const pruned = pruneObject(rest, schema, '', unknown, true);
  if (controllers !== undefined) {
    const status = objectOf(pruned.get('status')) ?? new Map();
    pruned.set('status', new Map(status).set('controllers', controllers));
  }
  return { object: pruned, unknown };
}

function withoutControllers(object: JsonObject): { controllers: JsonValue | undefined; rest: JsonObject } {
  const status = objectOf(object.get('status'));
  const controllers = status?.get('controllers');
  if (status === undefined || controllers === undefined) return { controllers, rest: object };
  const own = without(status, 'controllers');
  return {
    controllers,
    rest: own.size === 0 ? without(object, 'status') : new Map(object).set('status', own),
  };
}

function pruneValue(
  value: JsonValue,
  schema: JsonObject | undefined,
  path: string,
  unknown: string[],
): JsonValue {
  if (Array.isArray(value)) {
    const items = objectOf(schema?.get('items'));
    if (items === undefined && preserves(schema)) return value;
    return value.map((item, index) => pruneValue(item, items, `${path}[${index}]`, unknown));
  }
  if (!(value instanceof Map)) return value;
  return pruneObject(value, schema, path, unknown, isTrue(schema?.get('x-kubernetes-embedded-resource')));
}

function pruneObject(
  value: JsonObject,
  schema: JsonObject | undefined,
  path: string,
  unknown: string[],
  isResource: boolean,
): JsonObject {
  const properties = objectOf(schema?.get('properties'));
  const additional = schema?.get('additionalProperties');
  const keepsOthers = preserves(schema);
  const result: JsonObject = new Map();
  for (const [name, member] of value) {
    const at = path === '' ? name : `${path}.${name}`;
    const part = objectOf(properties?.get(name)) ?? objectOf(additional);
    if (isResource && objectMembers.includes(name)) result.set(name, member);
    else if (part !== undefined) result.set(name, pruneValue(member, part, at, unknown));
    else if (keepsOthers || additional === 'true') result.set(name, member);
    else if (unknown.length < maxNamed) unknown.push(at);
  }
  return result;
}

function preserves(schema: JsonObject | undefined): boolean {
  return isTrue(schema?.get('x-kubernetes-preserve-unknown-fields'));
}
