import type { Fault } from '@platform/kernel';
import {
  type JsonObject,
  type JsonValue,
  parseValue,
  renderValue,
  scalarKey,
  stringOf,
} from './json-value.ts';
import type { JsonText } from './resource.ts';
import { type SchemaReferences, schemaReferences } from './schema-references.ts';

/** How a value is merged: as a whole (`atomic`), member by member, or as a list whose items have an identity. */
export interface FieldType {
  readonly map: 'granular' | 'atomic';
  readonly list: 'atomic' | 'set' | 'map';
  /** The members that identify an item of a list of type `map`, by name, with their default values. */
  readonly keys: readonly { readonly name: string; readonly fallback: JsonValue | undefined }[];
  member(name: string): FieldType;
  item(): FieldType;
}

/** The type of values that no schema describes: objects are merged, lists are replaced. */
const deduced: FieldType = {
  map: 'granular',
  list: 'atomic',
  keys: [],
  member: () => deduced,
  item: () => deduced,
};

const atomic: FieldType = { ...deduced, map: 'atomic' };

/** The type of the part of a resource that fields are managed of; `schema` is the JSON Schema of its spec. */
export function resourceType(schema: JsonText | null): FieldType {
  const spec = schema === null ? deduced : documentType(schema);
  const finalizers: FieldType = { ...deduced, list: 'set' };
  const owners: FieldType = {
    ...deduced,
    list: 'map',
    keys: [{ name: 'uid', fallback: undefined }],
    item: () => atomic,
  };
  const metadata: FieldType = {
    ...deduced,
    member: (name) => (name === 'finalizers' ? finalizers : name === 'ownerReferences' ? owners : deduced),
  };
  return {
    ...deduced,
    member: (name) => (name === 'metadata' ? metadata : name === 'spec' ? spec : deduced),
  };
}

/** The type of `{ status }`; `schema` is the JSON Schema of the status. */
export function statusType(schema: JsonText | null): FieldType {
  const status = schema === null ? deduced : documentType(schema);
  return { ...deduced, member: (name) => (name === 'status' ? status : deduced) };
}

function documentType(schema: JsonText): FieldType {
  const root = parseValue(schema);
  return new DocumentTypes(schemaReferences(root)).of([root]);
}

/** Schemas that one value must match, at most: `allOf` and `$ref` may lead in circles. */
const maxSchemas = 64;

/**
 * Keys of a list of type `map`, at most; a list with more is merged as a whole. Attack: thousands of keys, or a default of half a megabyte,
 * which belong to the identity of every item.
 */
export const maxListMapKeys = 32;
const maxDefault = 256;

/**
 * The types of one schema document. Each is made once, for all values that the same schemas describe: schemas of one value are searched
 * through `allOf` and `$ref`, which takes long for each of a hundred thousand items.
 */
class DocumentTypes {
  readonly #references: SchemaReferences;
  readonly #types = new Map<string, FieldType>();
  readonly #numbers = new Map<JsonValue, number>();

  constructor(references: SchemaReferences) {
    this.#references = references;
  }

  /** The type that a value has by all schemas that it must match. */
  of(schemas: readonly JsonValue[]): FieldType {
    if (schemas.length === 0) return deduced;
    const key = schemas.map((schema) => this.#numberOf(schema)).join(' ');
    const type = this.#types.get(key) ?? this.#typeOf(schemas);
    this.#types.set(key, type);
    return type;
  }

  #numberOf(schema: JsonValue): number {
    const number = this.#numbers.get(schema) ?? this.#numbers.size;
    this.#numbers.set(schema, number);
    return number;
  }

  #typeOf(schemas: readonly JsonValue[]): FieldType {
    const all = this.#expanded(schemas);
    const textOf = (keyword: string) =>
      all.map((one) => stringOf(one.get(keyword))).find((text) => text !== undefined);
    const list = textOf('x-kubernetes-list-type');
    const items = below(all, (one) => [one.get('items')]);
    const named: JsonValue[] =
      all.map((one) => one.get('x-kubernetes-list-map-keys')).find(Array.isArray) ?? [];
    const isMap = list === 'map' && named.length > 0 && named.length <= maxListMapKeys;
    const names = isMap ? [...new Set(named.flatMap((key) => stringOf(key) ?? []))].sort() : [];
    return {
      map: textOf('x-kubernetes-map-type') === 'atomic' ? 'atomic' : 'granular',
      list: list === 'set' || isMap ? list : 'atomic',
      keys: names.map((name) => ({ name, fallback: this.#defaultOf(items, name) })),
      member: (name) => this.of(below(all, (one) => [memberSchema(one, name)])),
      item: () => this.of(items),
    };
  }

  #defaultOf(items: readonly JsonValue[], name: string): JsonValue | undefined {
    const members = below(this.#expanded(items), (one) => [memberSchema(one, name)]);
    const found = this.#expanded(members)
      .map((one) => one.get('default'))
      .find((value) => value !== undefined);
    return typeof found === 'string' && found.length > maxDefault ? undefined : found;
  }

  /** The schemas with those that they refer to: local `$ref` and `allOf`. */
  #expanded(schemas: readonly JsonValue[]): JsonObject[] {
    const found = new Set<JsonObject>();
    // The list grows meanwhile.
    const waiting = [...schemas];
    for (const next of waiting) {
      if (found.size === maxSchemas) break;
      if (!(next instanceof Map) || found.has(next)) continue;
      found.add(next);
      const target = this.#references.get(next);
      if (target !== undefined) waiting.push(target);
      const parts = next.get('allOf');
      if (Array.isArray(parts)) for (const part of parts) waiting.push(part);
    }
    return [...found];
  }
}

function memberSchema(schema: JsonObject, name: string): JsonValue | undefined {
  const properties = schema.get('properties');
  const found = properties instanceof Map ? properties.get(name) : undefined;
  return found ?? schema.get('additionalProperties');
}

function below(
  schemas: readonly JsonObject[],
  pick: (schema: JsonObject) => readonly (JsonValue | undefined)[],
): JsonValue[] {
  return schemas.flatMap(pick).filter((one): one is JsonObject => one instanceof Map);
}

/**
 * The items of a list by their element of FieldsV1; null when the list is merged as a whole: because of its type, or because items
 * have no identity or the same one.
 */
export function itemsOf(list: readonly JsonValue[], type: FieldType): ReadonlyMap<string, JsonValue> | null {
  if (type.list === 'atomic') return null;
  const items = new Map<string, JsonValue>();
  for (const item of list) {
    const element = elementOf(item, type);
    if (element === null || items.has(element)) return null;
    items.set(element, item);
  }
  return items;
}

/** The faults for which an apply cannot merge a list. */
export function mergeFaults(list: readonly JsonValue[], type: FieldType, pointer: string): readonly Fault[] {
  if (type.list === 'atomic') return [];
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const path = `${pointer}/${index}`;
    const element = elementOf(item, type);
    if (element === null) {
      const keys = type.keys.map(({ name }) => name).join(', ');
      return [{ path, message: type.list === 'set' ? 'must be a scalar' : `must have the keys ${keys}` }];
    }
    if (seen.has(element)) return [{ path, message: 'has the same identity as an item before it' }];
    seen.add(element);
    return [];
  });
}

function elementOf(item: JsonValue, { list, keys }: FieldType): string | null {
  if (list === 'set') return typeof item === 'string' ? `v:${scalarKey(item)}` : null;
  if (!(item instanceof Map)) return null;
  const identity: JsonObject = new Map();
  for (const { name, fallback } of keys) {
    const value = item.get(name) ?? fallback;
    if (value === undefined || typeof value !== 'string') return null;
    identity.set(name, identityKey(value));
  }
  return `k:${renderValue(identity)}`;
}

/** Returns the same text for equal scalars, with numbers as they are usually written: 1 for 1.0, as FieldsV1 has it. */
function identityKey(text: JsonText): JsonText {
  const key = scalarKey(text);
  const [, sign = '', digits, exponent] = /^(-?)(\d+)e(-?\d{1,2})$/.exec(key) ?? [];
  if (digits === undefined) return key;
  const shift = Number(exponent);
  if (shift >= 0) return sign + digits + '0'.repeat(shift);
  const padded = digits.padStart(1 - shift, '0');
  return `${sign}${padded.slice(0, shift)}.${padded.slice(shift)}`;
}
