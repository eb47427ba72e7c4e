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
 * Removes what none of the structural schemas of whole objects declares; there is one for each version whose fields are known. The object itself
 * does not change. `status.controllers`, where an object shows the status slots of others, is known to every kind: clients send back what they
 * have read.
 */
export function pruneUnknown(schemas: readonly JsonObject[], object: JsonObject): Pruned {
  const unknown: string[] = [];
  const { controllers, rest } = withoutControllers(object);
  const pruned = pruneObject(rest, schemas, '', unknown, true);
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
  schemas: readonly JsonObject[],
  path: string,
  unknown: string[],
): JsonValue {
  if (Array.isArray(value)) {
    const items = schemas.flatMap((schema) => objectOf(schema.get('items')) ?? []);
    if (schemas.some((schema) => preserves(schema) && objectOf(schema.get('items')) === undefined))
      return value;
    return value.map((item, index) => pruneValue(item, items, `${path}[${index}]`, unknown));
  }
  if (!(value instanceof Map)) return value;
  const isResource = schemas.some((schema) => isTrue(schema.get('x-kubernetes-embedded-resource')));
  return pruneObject(value, schemas, path, unknown, isResource);
}

function pruneObject(
  value: JsonObject,
  schemas: readonly JsonObject[],
  path: string,
  unknown: string[],
  isResource: boolean,
): JsonObject {
  const known = schemas.map((schema) => ({
    properties: objectOf(schema.get('properties')),
    others: objectOf(schema.get('additionalProperties')),
    isOpen: preserves(schema) || isTrue(schema.get('additionalProperties')),
  }));
  const result: JsonObject = new Map();
  for (const [name, member] of value) {
    const at = path === '' ? name : `${path}.${name}`;
    const parts = known.map(({ properties, others }) => objectOf(properties?.get(name)) ?? others);
    const isKept = known.some(({ isOpen }, index) => isOpen && parts[index] === undefined);
    const declared = parts.filter((part) => part !== undefined);
    if ((isResource && objectMembers.includes(name)) || isKept) result.set(name, member);
    else if (declared.length > 0) result.set(name, pruneValue(member, declared, at, unknown));
    else if (unknown.length < maxNamed) unknown.push(at);
  }
  return result;
}

function preserves(schema: JsonObject): boolean {
  return isTrue(schema.get('x-kubernetes-preserve-unknown-fields'));
}
