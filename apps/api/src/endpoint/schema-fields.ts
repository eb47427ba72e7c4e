import { ref, type Schema } from './documentation.ts';

/** A UUID in the form that answers show. */
export const uuid: Schema = {
  type: 'string',
  format: 'uuid',
  examples: ['01a1fc66-ebc7-7abd-b820-e103976092a4'],
};
/** RFC 3339 in UTC with milliseconds. */
export const timestamp: Schema = {
  type: 'string',
  format: 'date-time',
  examples: ['2026-01-01T12:00:00.000Z'],
};
/** Any text. */
export const text: Schema = { type: 'string' };
/** A URL. */
export const url: Schema = { type: 'string', format: 'uri' };
/** Whole seconds. */
export const seconds: Schema = { type: 'integer', minimum: 1 };

/** 1 when created, one more with each change. */
export const revision: Schema = { type: 'integer', minimum: 1, examples: [1] };

/** An object whose fields are all there, but those named as optional. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  { optional = [], ...more }: { readonly optional?: readonly string[]; readonly [key: string]: unknown } = {},
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties, ...more };
}

/** The schema with an example. Examples of answers are made of the examples of their fields. */
export function withExample(schema: Schema, example: unknown): Schema {
  return { ...schema, examples: [example] };
}

/** A schema of texts that also takes null. */
export function orNull(schema: Schema): Schema {
  return { ...schema, type: ['string', 'null'] };
}

/** An array. */
export function list(items: Schema): Schema {
  return { type: 'array', items };
}

/** A page of what the schema with that name describes. */
export function pageOf(name: string): Schema {
  return object(
    {
      items: list(ref(name)),
      continue: {
        ...withExample(text, 'bXktYXBw'),
        description: 'Opaque; `?continue=` of the next page. Absent on the last.',
      },
    },
    { optional: ['continue'] },
  );
}
