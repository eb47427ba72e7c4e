import { isObject, type Json, type JsonObject } from '../json.ts';
import type { FlatSchema } from '../schema/flatten.ts';

/** The engine that evaluates a schema: `ajv` compiles it to a function; `hyperjump` interprets it, which is slower but correct. */
export type Engine = 'ajv' | 'hyperjump';

/** The constructs that ajv evaluates incorrectly. See docs/decisions/0005-two-json-schema-engines.md. */
const unsupported: Readonly<Record<string, (schema: JsonObject) => boolean>> = {
  // ajv counts evaluated items only from the front, so it ignores `contains` and failed branches.
  'unevaluatedItems is used': (schema) => 'unevaluatedItems' in schema,
  // ajv ignores an `if` without `then` or `else`, and treats a member named `toString` as always evaluated.
  'unevaluatedProperties is used': (schema) => 'unevaluatedProperties' in schema,
  // ajv reads the inherited `data.toString`, and ignores a declared `__proto__`.
  'a declared name is inherited by every object': (schema) => declaredNames(schema).some(isInherited),
};

/** Chooses the engine for a flat schema. */
export function chooseEngine({ origins }: FlatSchema): Engine {
  for (const schema of origins.keys())
    if (Object.values(unsupported).some((applies) => applies(schema))) return 'hyperjump';
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
