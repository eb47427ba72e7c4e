import { isObject, type Json, type JsonObject, step } from '../json.ts';

/**
 * The value that the subschemas of a keyword apply to: the same value (`here`), a `member`, an `item` or the `name` of a member, or
 * none (`nowhere`, for definitions and annotations).
 */
export type Target = 'here' | 'member' | 'item' | 'name' | 'nowhere';

/** The form of the subschemas of a keyword: one, a list, or a map. */
export type Shape = 'one' | 'list' | 'map';

/** Every keyword of Draft 2020-12 with subschemas (Core, sections 8.2.4, 10 and 11; Validation, 8.5). */
export const applicators: ReadonlyMap<string, { readonly shape: Shape; readonly target: Target }> = new Map([
  ['$defs', { shape: 'map', target: 'nowhere' }],
  ['contentSchema', { shape: 'one', target: 'nowhere' }],
  ['allOf', { shape: 'list', target: 'here' }],
  ['anyOf', { shape: 'list', target: 'here' }],
  ['oneOf', { shape: 'list', target: 'here' }],
  ['not', { shape: 'one', target: 'here' }],
  ['if', { shape: 'one', target: 'here' }],
  ['then', { shape: 'one', target: 'here' }],
  ['else', { shape: 'one', target: 'here' }],
  ['dependentSchemas', { shape: 'map', target: 'here' }],
  ['properties', { shape: 'map', target: 'member' }],
  ['patternProperties', { shape: 'map', target: 'member' }],
  ['additionalProperties', { shape: 'one', target: 'member' }],
  ['unevaluatedProperties', { shape: 'one', target: 'member' }],
  ['propertyNames', { shape: 'one', target: 'name' }],
  ['prefixItems', { shape: 'list', target: 'item' }],
  ['items', { shape: 'one', target: 'item' }],
  ['contains', { shape: 'one', target: 'item' }],
  ['unevaluatedItems', { shape: 'one', target: 'item' }],
] as const);

/** Every other keyword that can make a document invalid. Keywords outside both lists are annotations, or unknown. */
export const assertions: ReadonlySet<string> = new Set([
  'type',
  'const',
  'enum',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'required',
  'dependentRequired',
  'format',
]);

/** A subschema of a schema object, with its keyword and pointer. */
export interface Subschema {
  readonly keyword: string;
  readonly target: Target;
  readonly schema: Json;
  readonly pointer: string;
}

/** The direct subschemas of the schema object at `pointer`. */
export function* subschemas(schema: JsonObject, pointer: string): Generator<Subschema> {
  for (const [keyword, value] of Object.entries(schema)) {
    const applicator = applicators.get(keyword);
    if (applicator === undefined) continue;
    const { shape, target } = applicator;
    const place = step(pointer, keyword);
    if (shape === 'one') yield { keyword, target, schema: value, pointer: place };
    else if (shape === 'list' ? Array.isArray(value) : isObject(value))
      for (const [key, member] of Object.entries(value as JsonObject))
        yield { keyword, target, schema: member, pointer: step(place, key) };
  }
}
