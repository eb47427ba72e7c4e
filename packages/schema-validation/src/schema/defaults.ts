import { isObject, type Json, type JsonObject, step } from '../json.ts';

/** A default of a schema, with the schema that it must match. */
export interface SchemaDefault {
  /** JSON pointer to the keyword. */
  readonly path: string;
  /** With the defaults of what is below it. */
  readonly value: Json;
  readonly schema: JsonObject;
}

/** Every default of a structural schema. Null says nothing, as in Kubernetes. */
export function defaultsOf(schema: Json | undefined, pointer = ''): SchemaDefault[] {
  if (!isObject(schema)) return [];
  const { properties, items, additionalProperties } = schema;
  const value = schema['default'];
  const own =
    value === undefined || value === null
      ? []
      : [{ path: step(pointer, 'default'), value: completed(schema, value), schema }];
  return [
    ...own,
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, part]) =>
      defaultsOf(part, step(step(pointer, 'properties'), name)),
    ),
    ...defaultsOf(items, step(pointer, 'items')),
    ...defaultsOf(additionalProperties, step(pointer, 'additionalProperties')),
  ];
}

function completed(schema: Json | undefined, value: Json): Json {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => completed(schema['items'], item));
  if (!isObject(value)) return value;
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const missing = Object.entries(properties).filter(
    ([name, part]) => !Object.hasOwn(value, name) && isObject(part) && (part['default'] ?? null) !== null,
  );
  const all = [
    ...Object.entries(value),
    ...missing.map(([name, part]) => [name, (part as JsonObject)['default']] as const),
  ];
  return Object.fromEntries(
    all.map(([name, member]) => {
      const part = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties'];
      return [name, completed(part, member as Json)];
    }),
  );
}

/** One schema that validates all defaults at once, and its value. Their places are `/0`, `/1` and so on. */
export function schemaOfDefaults(defaults: readonly SchemaDefault[]): {
  schema: JsonObject;
  value: JsonObject;
} {
  return {
    schema: { properties: Object.fromEntries(defaults.map(({ schema }, index) => [`${index}`, schema])) },
    value: Object.fromEntries(defaults.map(({ value }, index) => [`${index}`, value])),
  };
}
