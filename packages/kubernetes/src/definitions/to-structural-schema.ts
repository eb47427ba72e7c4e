import { type JsonObject, type JsonValue, stringOf } from '@platform/resources';
import { isDerived } from './derived-rules.ts';
import { inlined } from './references.ts';
import { isTrue, itemsOf, jsonValueOf, objectOf, stringsOf } from './values.ts';

/** How to read a schema: `unknown` says what becomes of fields that it does not declare. */
export interface Reading {
  /** The whole schema, for references into it. */
  readonly root: JsonValue;
  /** Schemas that came from Kubernetes prune such fields; every other JSON Schema accepts them. */
  readonly unknown: 'prune' | 'preserve';
  /** How many more subschemas may be read. References multiply them, and with them what is copied for each. */
  readonly budget: { left: number };
}

/** Subschemas that are read, at most; of a schema that came from Kubernetes, as many as one may have where it is stored. */
export const newBudget = (unknown: Reading['unknown']): Reading['budget'] => ({
  left: unknown === 'prune' ? 10_000 : 5_000,
});

/** Keywords that mean the same in both dialects. */
const shared = [
  'title description default enum format pattern required multipleOf minLength maxLength minItems maxItems',
  'minProperties maxProperties minimum maximum nullable example externalDocs',
].flatMap((names) => names.split(' '));

const preserveUnknown: readonly [string, JsonValue] = ['x-kubernetes-preserve-unknown-fields', 'true'];

/** Schemas nested deeper than this are shown as preserving everything: references may lead in circles. */
const maxDepth = 40;

/**
 * The schema in the dialect that clients of Kubernetes read: structural, with `nullable` and boolean `exclusiveMinimum`. It undoes
 * `toJsonSchema` exactly. Of other schemas it keeps the structure; keywords that Kubernetes does not have are left out.
 */
export function toStructuralSchema(schema: JsonValue, reading: Reading, depth = 0): JsonObject {
  const isOver = depth > maxDepth || reading.budget.left <= 0;
  const source = isOver ? undefined : objectOf(inlined(schema, reading));
  if (source === undefined) return new Map([preserveUnknown]);
  reading.budget.left -= 1;
  const target: JsonObject = new Map();
  const below = (part: JsonValue) => toStructuralSchema(part, reading, depth + 1);
  for (const [keyword, value] of source) {
    if (shared.includes(keyword)) target.set(keyword, value);
    else if (keyword.startsWith('x-kubernetes-')) copyExtension(keyword, value, target);
    else convertKeyword(keyword, value, source, target, below);
  }
  if (reading.unknown === 'preserve') completeForeign(source, target, below);
  return target;
}

function copyExtension(keyword: string, value: JsonValue, target: JsonObject): void {
  if (keyword === 'x-kubernetes-version') return;
  if (keyword === 'x-kubernetes-format') target.set('format', value);
  else if (keyword === 'x-kubernetes-pattern') target.set('pattern', value);
  else target.set(keyword, value);
}

function convertKeyword(
  keyword: string,
  value: JsonValue,
  source: JsonObject,
  target: JsonObject,
  below: (part: JsonValue) => JsonObject,
): void {
  switch (keyword) {
    case 'type':
      convertType(value, source, target);
      return;
    case 'properties':
      target.set(keyword, new Map(Array.from(objectOf(value) ?? [], ([name, part]) => [name, below(part)])));
      return;
    case 'items':
    case 'not':
      target.set(keyword, below(value));
      return;
    case 'additionalProperties':
      if (value instanceof Map) target.set(keyword, below(value));
      else if (value === 'true') target.set(keyword, value);
      return;
    case 'allOf':
    case 'anyOf':
    case 'oneOf': {
      const parts = itemsOf(value).filter((part) => !isDerived(part) && !isAddedNull(keyword, part, source));
      if (parts.length > 0) target.set(keyword, parts.map(below));
      return;
    }
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      target.set(keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum', value);
      target.set(keyword, 'true');
      return;
    case 'const':
      target.set('enum', [value]);
      return;
    case 'examples':
      if (itemsOf(value)[0] !== undefined) target.set('example', itemsOf(value)[0] as JsonValue);
  }
}

function convertType(value: JsonValue, source: JsonObject, target: JsonObject): void {
  const types = typeof value === 'string' ? [stringOf(value) ?? ''] : [...stringsOf(value)];
  const [first, ...others] = types.filter((type) => type !== 'null');
  if (types.length > 1 && types.includes('null')) target.set('nullable', 'true');
  if (isTrue(source.get('x-kubernetes-int-or-string'))) return;
  if (first !== undefined && others.length === 0) target.set('type', JSON.stringify(first));
  else if (others.length === 1 && [first, ...others].sort().join() === 'integer,string')
    target.set('x-kubernetes-int-or-string', 'true');
}

/** `toJsonSchema` adds null to the alternatives of a nullable int-or-string. */
function isAddedNull(keyword: string, part: JsonValue, source: JsonObject): boolean {
  return (
    keyword === 'anyOf' &&
    isTrue(source.get('x-kubernetes-int-or-string')) &&
    stringOf(objectOf(part)?.get('type')) === 'null'
  );
}

/** Adds what a structural schema must say and a JSON Schema of somebody else leaves open. */
function completeForeign(
  source: JsonObject,
  target: JsonObject,
  below: (part: JsonValue) => JsonObject,
): void {
  declareMembersOfAll(source, target, below);
  const intOrString = target.has('x-kubernetes-int-or-string');
  const inferred = target.has('type') || intOrString ? undefined : inferredType(target);
  if (inferred !== undefined) target.set('type', jsonValueOf(inferred));
  const type = stringOf(target.get('type'));
  if (type === 'array') completeArray(source, target);
  const additional = target.get('additionalProperties');
  const isOpen = source.get('additionalProperties') !== 'false' && !(additional instanceof Map);
  const mixes = target.has('properties') && additional !== undefined;
  if (mixes || additional === 'true') target.delete('additionalProperties');
  const isUntyped = type === undefined && !intOrString;
  if (isUntyped || mixes || (type === 'object' && isOpen)) target.set(...preserveUnknown);
}

/** The members that the parts of `allOf` declare. */
function declareMembersOfAll(
  source: JsonObject,
  target: JsonObject,
  below: (part: JsonValue) => JsonObject,
): void {
  // Attack: thousands of parts. Copied for each, the members of those before it take as long as the square of their number.
  const parts = itemsOf(source.get('allOf')).flatMap((part) => objectOf(below(part).get('properties')) ?? []);
  if (parts.length === 0) return;
  const own = objectOf(target.get('properties')) ?? new Map<string, JsonValue>();
  target.set('properties', new Map([...parts.reverse(), own].flatMap((members) => [...members])));
}

function completeArray(source: JsonObject, target: JsonObject): void {
  const items = stringOf(objectOf(target.get('items'))?.get('type'));
  if (isTrue(source.get('uniqueItems')) && (items === 'string' || items === 'integer'))
    target.set('x-kubernetes-list-type', '"set"');
  if (!target.has('items')) target.set('items', new Map([preserveUnknown]));
}

function inferredType(schema: JsonObject): string | undefined {
  if (schema.has('properties') || schema.has('required')) return 'object';
  if (schema.has('items')) return 'array';
  const values = itemsOf(schema.get('enum'));
  const [first, ...others] = values.map((value) => (stringOf(value) === undefined ? 'other' : 'string'));
  return first === 'string' && others.every((kind) => kind === 'string') ? 'string' : undefined;
}
