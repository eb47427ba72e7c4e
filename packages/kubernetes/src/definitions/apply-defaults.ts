import { Problem } from '@platform/kernel';
import { cloneValue, type JsonObject, type JsonValue, lengthOf } from '@platform/resources';
import { isTrue, objectOf } from './values.ts';

/** Characters that defaults add to one object, at most. */
const maxAdded = 2 * 1024 * 1024;

/**
 * The value with the defaults of its structural schema, as the API server of Kubernetes applies them: null counts as absent where the schema
 * does not allow it. The value itself does not change. Throws `payload_too_large`.
 *
 * Attack: a list of a hundred thousand empty objects, each of which gets a default of half a megabyte, or is looked through for thousands of
 * properties.
 */
export function applyDefaults(schema: JsonObject | undefined, value: JsonValue): JsonValue {
  return new Defaults().filled(schema, value);
}

class Defaults {
  readonly #declared = new Map<JsonObject, readonly (readonly [name: string, schema: JsonObject])[]>();
  #room = maxAdded;

  filled(schema: JsonObject | undefined, value: JsonValue): JsonValue {
    if (schema === undefined) return value;
    if (Array.isArray(value)) {
      const items = objectOf(schema.get('items'));
      return value.map((item) => this.filled(items, this.#insteadOfNull(items, item) ?? item));
    }
    if (!(value instanceof Map)) return value;
    const properties = objectOf(schema.get('properties'));
    const additional = objectOf(schema.get('additionalProperties'));
    const result: JsonObject = new Map();
    for (const [name, member] of value) {
      const part = objectOf(properties?.get(name)) ?? additional;
      const filled = member === 'null' ? this.#withoutNull(part) : member;
      if (filled !== undefined) result.set(name, this.filled(part, filled));
    }
    for (const [name, part] of this.#withDefault(properties)) {
      if (value.has(name)) continue;
      this.#take(name.length);
      result.set(name, this.filled(part, this.#defaultOf(part) as JsonValue));
    }
    return result;
  }

  /** The properties that have a default. */
  #withDefault(properties: JsonObject | undefined) {
    if (properties === undefined) return [];
    const known = this.#declared.get(properties);
    if (known !== undefined) return known;
    const found = [...properties].flatMap(([name, part]) => {
      const schema = objectOf(part);
      return schema?.has('default') ? [[name, schema] as const] : [];
    });
    this.#declared.set(properties, found);
    return found;
  }

  /** A member that is null stays when it may be null; otherwise the default replaces it, or it is left out. */
  #withoutNull(schema: JsonObject | undefined): JsonValue | undefined {
    if (schema === undefined || isNullable(schema)) return 'null';
    return this.#insteadOfNull(schema, 'null');
  }

  #insteadOfNull(schema: JsonObject | undefined, value: JsonValue): JsonValue | undefined {
    if (value !== 'null' || schema === undefined || isNullable(schema)) return undefined;
    return this.#defaultOf(schema);
  }

  #defaultOf(schema: JsonObject): JsonValue | undefined {
    const fallback = schema.get('default');
    if (fallback === undefined) return undefined;
    this.#take(lengthOf(fallback));
    return cloneValue(fallback);
  }

  #take(characters: number): void {
    this.#room -= characters;
    if (this.#room >= 0) return;
    const detail = `The defaults of its schema add more than ${maxAdded} characters to the object.`;
    throw new Problem('payload_too_large', detail);
  }
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

/** A schema without a type says nothing about null. */
function isNullable(schema: JsonObject): boolean {
  return isTrue(schema.get('nullable')) || !(schema.has('type') || schema.has('x-kubernetes-int-or-string'));
}
