import type { Schema } from '../endpoint/documentation.ts';

/** Keywords whose values are data and not schemas: a `$ref` in them is no reference. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
/** Keywords that map names of the author's choice to schemas: `$ref` may be one of the names. */
const nameKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);

/**
 * A declared schema as it is in `components`: its references `#/...` lead there. A schema with an `$id` of its own is
 * left as it is, since they are relative to that.
 */
export function embeddedSchema(schema: boolean | Record<string, unknown>, component: string): Schema {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  return moved(schema, `#/components/schemas/${component}`) as Schema;
}

function moved(schema: unknown, root: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => moved(item, root));
  if (typeof schema !== 'object' || schema === null || Object.hasOwn(schema, '$id')) return finite(schema);
  return mapped(schema, (keyword, value) => {
    if (keyword === '$ref' && typeof value === 'string') return value.replace(/^#(?=\/|$)/, root);
    if (dataKeywords.has(keyword)) return value;
    if (nameKeywords.has(keyword) && typeof value === 'object' && value !== null) {
      return mapped(value, (_name, inner) => moved(inner, root));
    }
    return moved(value, root);
  });
}

// Not by assignment: a property may be called __proto__.
function mapped(value: object, change: (key: string, inner: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(key, inner)]));
}

// A bound such as 1e400 is beyond JavaScript, and JSON text of it would be null: the largest number there is says as much.
function finite(value: unknown): unknown {
  if (value === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  return value === Number.NEGATIVE_INFINITY ? -Number.MAX_VALUE : value;
}
