import { isObject, type Json, type JsonObject } from '../json.ts';
import type { FlatSchema } from '../schema/flatten.ts';

/** What evaluates a schema: `ajv` compiles it to a function, `hyperjump` interprets it, slower and without flaws. */
export type Engine = 'ajv' | 'hyperjump';

/** The constructs that ajv 8.20 gets wrong, as the official suite and reading its code show. See docs/decisions/0005-two-json-schema-engines.md. */
const flaws: Readonly<Record<string, (schema: JsonObject) => boolean>> = {
  // Counts evaluated items from the front only, so that `contains` and branches that failed are lost on it.
  'unevaluatedItems is used': (schema) => 'unevaluatedItems' in schema,
  // Misses an `if` without `then` or `else`, and takes a member named `toString` for evaluated whatever it is.
  'unevaluatedProperties is used': (schema) => 'unevaluatedProperties' in schema,
  // Reads `data.toString` of an object that has none, and leaves a declared `__proto__` out.
  'a declared name is one that every object inherits': (schema) => declaredNames(schema).some(isInherited),
};

/** Chooses the engine for a flat schema. */
export function engineFor({ origins }: FlatSchema): Engine {
  for (const schema of origins.keys())
    if (Object.values(flaws).some((applies) => applies(schema))) return 'hyperjump';
  return 'ajv';
}

function declaredNames(schema: JsonObject): string[] {
  const { properties, required, dependentRequired, dependentSchemas } = schema;
  const lists = isObject(dependentRequired) ? Object.values(dependentRequired) : [];
  return [
    ...[properties, dependentRequired, dependentSchemas].flatMap(keys),
    ...[required, ...lists].flatMap(strings),
  ];
}

const keys = (map: Json | undefined): string[] => (isObject(map) ? Object.keys(map) : []);

const strings = (list: Json | undefined): string[] =>
  Array.isArray(list) ? list.filter((name): name is string => typeof name === 'string') : [];

function isInherited(name: string): boolean {
  return name in Object.prototype;
}
