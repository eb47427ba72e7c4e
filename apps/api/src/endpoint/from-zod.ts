import { z } from 'zod';
import type { Schema } from './documentation.ts';

/** Additions that zod cannot express, by JSON pointer into the JSON Schema; they are merged into the schema there. */
export type Additions = Readonly<Record<string, Schema>>;

type Mutable = Record<string, unknown>;

/**
 * The JSON Schema of a request, from the zod schema that validates it. Types that zod cannot turn into JSON Schema are
 * decided here alone: an object that a function validates is any object, and a field that must be absent is left out.
 */
export function fromZod(schema: z.ZodType, additions: Additions = {}): Schema {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      // The only z.custom of the request schemas stands for "any JSON object"; a test holds it to that.
      if (def.type === 'custom') jsonSchema.type = 'object';
      if (def.type === 'object') dropAbsent(def as z.core.$ZodObjectDef, jsonSchema);
    },
  });
  for (const [pointer, more] of Object.entries(additions)) Object.assign(at(json, pointer), more);
  return json;
}

function dropAbsent({ shape }: z.core.$ZodObjectDef, json: z.core.JSONSchema.BaseSchema): void {
  for (const [name, field] of Object.entries(shape)) {
    if (innermost(field) === 'undefined') delete json.properties?.[name];
  }
}

function innermost(schema: z.core.$ZodType): string {
  const { def } = schema._zod;
  return def.type === 'optional' ? innermost((def as z.core.$ZodOptionalDef).innerType) : def.type;
}

/** The value at the pointer. Throws when there is none, since the addition is then wrong. */
function at(json: Mutable, pointer: string): Mutable {
  let value: unknown = json;
  for (const step of pointer.split('/').slice(1)) value = (value as Mutable | undefined)?.[step];
  if (typeof value !== 'object' || value === null) throw new Error(`the schema has nothing at ${pointer}`);
  return value as Mutable;
}
