import type { Fault } from '@platform/kernel';
import { type JsonObject, type JsonValue, maxListMapKeys, renderValue, stringOf } from '@platform/resources';
import { itemsOf, objectOf, step, stringsOf } from './values.ts';

/** The items of lists of type `map` whose keys an item before them has; JSON Schema cannot say this. */
export function listKeyFaults(schema: JsonObject | undefined, value: JsonValue, pointer = ''): Fault[] {
  if (schema === undefined || typeof value === 'string') return [];
  if (Array.isArray(value)) {
    const items = objectOf(schema.get('items'));
    return [
      ...(stringOf(schema.get('x-kubernetes-list-type')) === 'map' ? repeated(schema, value, pointer) : []),
      ...value.flatMap((item, index) => listKeyFaults(items, item, step(pointer, index))),
    ];
  }
  const properties = objectOf(schema.get('properties'));
  const additional = objectOf(schema.get('additionalProperties'));
  return [...value].flatMap(([name, member]) =>
    listKeyFaults(objectOf(properties?.get(name)) ?? additional, member, step(pointer, name)),
  );
}

function repeated(schema: JsonObject, list: readonly JsonValue[], pointer: string): Fault[] {
  const keys = stringsOf(schema.get('x-kubernetes-list-map-keys'));
  if (keys.length > maxListMapKeys) return [];
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const identity = renderValue(keys.map((key) => objectOf(item)?.get(key) ?? 'null'));
    if (!seen.has(identity)) {
      seen.add(identity);
      return [];
    }
    const values = itemsOf(keys.map((key) => objectOf(item)?.get(key) ?? 'null')).map(renderValue);
    const named = keys.map((key, at) => `${key}=${values[at]}`).join(', ');
    return [
      {
        path: step(pointer, index),
        message: `duplicate item with the keys ${named}`,
        reason: 'FieldValueDuplicate',
      },
    ];
  });
}
