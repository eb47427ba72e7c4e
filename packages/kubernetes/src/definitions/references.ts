import { unescapePointer } from '@platform/kernel';
import { type JsonObject, type JsonValue, stringOf } from '@platform/resources';
import { objectOf } from './values.ts';

/** References that follow each other, at most: they may lead in circles. */
const maxChain = 32;

/** Keywords that are copied for the price of one subschema. */
const keywordsPerSubschema = 10;

/**
 * A schema with its own local `$ref` replaced by what it refers to; keywords next to it win. Anchors and other documents are not followed.
 *
 * Attack: thousands of references to a schema with tens of thousands of keywords, which are copied for each. They count as subschemas.
 */
export function inlined(
  schema: JsonValue,
  { root, budget }: { readonly root: JsonValue; readonly budget: { left: number } },
): JsonValue {
  let at = schema;
  for (let chain = 0; chain < maxChain && budget.left > 0; chain++) {
    const object = objectOf(at);
    const reference = stringOf(object?.get('$ref'));
    if (object === undefined || reference === undefined) return at;
    const target = objectOf(resolve(reference, root));
    budget.left -= Math.floor((target?.size ?? 0) / keywordsPerSubschema);
    at = new Map([...(target ?? []), ...[...object].filter(([keyword]) => keyword !== '$ref')]);
    if (target?.has('$ref')) (at as JsonObject).set('$ref', target.get('$ref') as JsonValue);
  }
  return new Map();
}

function resolve(reference: string, root: JsonValue): JsonValue | undefined {
  if (!reference.startsWith('#')) return undefined;
  let at: JsonValue | undefined = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = unescapePointer(decoded(part));
    at = at instanceof Map ? at.get(name) : Array.isArray(at) ? at[Number(name)] : undefined;
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
