import type { Fault } from '@platform/kernel';
import { type JsonObject, type JsonValue, maxListMapKeys, stringOf } from '@platform/resources';
import { isTrue, itemsOf, objectOf, step, stringsOf } from './values.ts';

/** Keywords that a structural schema must not have. */
export const forbiddenKeywords: readonly string[] = [
  '$ref',
  '$schema',
  'id',
  'definitions',
  'dependencies',
  'patternProperties',
  'additionalItems',
];

/** The position of a schema: `place` must say its type, `junctor` (allOf and the like) must not add structure. */
export type Position = 'place' | 'junctor';

/**
 * The faults of one schema object, not of those below it, by the rules of structural schemas:
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/.
 */
export function structuralFaults(schema: JsonObject, pointer: string, position: Position): Fault[] {
  const faults: Fault[] = [];
  const fault = (keyword: string, message: string) => faults.push({ path: step(pointer, keyword), message });
  for (const keyword of forbiddenKeywords)
    if (schema.has(keyword)) fault(keyword, 'is not allowed in a structural schema');
  if (isTrue(schema.get('uniqueItems')))
    fault('uniqueItems', 'must not be true; use x-kubernetes-list-type: set');
  const preserves = schema.get('x-kubernetes-preserve-unknown-fields');
  if (preserves !== undefined && !isTrue(preserves))
    fault('x-kubernetes-preserve-unknown-fields', 'must be true or absent');
  for (const flag of ['exclusiveMinimum', 'exclusiveMaximum'])
    if (schema.has(flag) && !['true', 'false'].includes(schema.get(flag) as string))
      fault(flag, 'must be true or false');
  if (position === 'junctor') return faults;
  faults.push(...junctorTypeFaults(schema, pointer));
  const intOrString = isTrue(schema.get('x-kubernetes-int-or-string'));
  if (!schema.has('type') && !intOrString && preserves === undefined)
    faults.push({
      path: step(pointer, 'type'),
      message: 'is required in a structural schema',
      reason: 'FieldValueRequired',
    });
  if (schema.has('type') && intOrString) fault('type', 'must be absent with x-kubernetes-int-or-string');
  if (schema.has('properties') && schema.get('additionalProperties') instanceof Map)
    fault('additionalProperties', 'must not stand next to properties');
  if (stringOf(schema.get('type')) === 'array' && !schema.has('items'))
    faults.push({
      path: step(pointer, 'items'),
      message: 'is required for type array in a structural schema',
      reason: 'FieldValueRequired',
    });
  return [...faults, ...listFaults(schema, pointer)];
}

const junctors = ['allOf', 'anyOf', 'oneOf', 'not'];

/** The schemas of a keyword like `anyOf`, with their places. */
function junctorParts(schema: JsonObject, pointer: string): (readonly [JsonValue, string])[] {
  return junctors.flatMap((keyword) => {
    const value = schema.get(keyword);
    const at = step(pointer, keyword);
    if (value === undefined) return [];
    return keyword === 'not'
      ? [[value, at] as const]
      : itemsOf(value).map((part, index) => [part, step(at, index)] as const);
  });
}

/** Types inside of `anyOf` and the like, which Kubernetes refuses but in the forms of an int-or-string. */
function junctorTypeFaults(schema: JsonObject, pointer: string): Fault[] {
  const isIntOrString = isTrue(schema.get('x-kubernetes-int-or-string'));
  const below = (part: JsonValue, at: string): Fault[] => {
    const source = objectOf(part);
    if (source === undefined) return [];
    const own = source.has('type')
      ? [{ path: step(at, 'type'), message: 'must be empty to be structural' }]
      : [];
    const members = [...(objectOf(source.get('properties')) ?? [])].map(
      ([name, member]) => [member, step(step(at, 'properties'), name)] as const,
    );
    const others = ['items', 'additionalProperties'].flatMap((keyword) => {
      const member = source.get(keyword);
      return member instanceof Map ? [[member, step(at, keyword)] as const] : [];
    });
    return [
      ...own,
      ...[...members, ...others, ...junctorParts(source, at)].flatMap(([one, place]) => below(one, place)),
    ];
  };
  const allowed = new Set(isIntOrString ? intOrStringParts(schema, pointer) : []);
  return junctorParts(schema, pointer)
    .flatMap(([part, at]) => below(part, at))
    .filter(({ path }) => !allowed.has(path));
}

/** Where an int-or-string may say its two types: in `anyOf`, or in the `anyOf` of the first part of `allOf`. */
function intOrStringParts(schema: JsonObject, pointer: string): string[] {
  const typesAt = (holder: JsonObject | undefined, at: string) => {
    const types = itemsOf(holder?.get('anyOf')).map((part) => stringOf(objectOf(part)?.get('type')));
    return types.join() === 'integer,string' ? [0, 1].map((index) => `${at}/anyOf/${index}/type`) : [];
  };
  const [first] = itemsOf(schema.get('allOf'));
  return [...typesAt(schema, pointer), ...typesAt(objectOf(first), `${pointer}/allOf/0`)];
}

function listFaults(schema: JsonObject, pointer: string): Fault[] {
  const listType = schema.get('x-kubernetes-list-type');
  const path = step(pointer, 'x-kubernetes-list-type');
  if (listType === undefined) return [];
  if (!['atomic', 'set', 'map'].includes(stringOf(listType) ?? ''))
    return [{ path, message: 'must be atomic, set or map' }];
  if (stringOf(schema.get('type')) !== 'array') return [{ path, message: 'is only for type array' }];
  if (stringOf(listType) !== 'map') return [];
  const at = step(pointer, 'x-kubernetes-list-map-keys');
  const keys = stringsOf(schema.get('x-kubernetes-list-map-keys'));
  if (keys.length === 0)
    return [{ path: at, message: 'is required for a list of type map', reason: 'FieldValueRequired' }];
  if (keys.length > maxListMapKeys)
    return [{ path: at, message: `must have at most ${maxListMapKeys} keys` }];
  return keyFaults(keys, objectOf(schema.get('items')), at, step(pointer, 'items'));
}

/** Every item must have its keys: without one, items cannot be told apart. */
function keyFaults(
  keys: readonly string[],
  items: JsonObject | undefined,
  at: string,
  below: string,
): Fault[] {
  const properties = objectOf(items?.get('properties'));
  const required = new Set(stringsOf(items?.get('required')));
  return keys.flatMap((key, index): Fault[] => {
    const declared = objectOf(properties?.get(key));
    if (declared === undefined)
      return [{ path: step(at, index), message: `must be a property of the items: ${key}` }];
    if (required.has(key) || declared.has('default')) return [];
    return [
      {
        path: step(step(step(below, 'properties'), key), 'default'),
        message:
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        reason: 'FieldValueRequired',
      },
    ];
  });
}
