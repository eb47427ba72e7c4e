import type { Fault } from '@platform/kernel';
import { type JsonObject, type JsonValue, stringOf } from '@platform/resources';
import { derivedRules } from './derived-rules.ts';
import { ecmaPattern } from './patterns.ts';
import { forbiddenKeywords, type Position, structuralFaults } from './structural-faults.ts';
import { isTrue, itemsOf, jsonValueOf, objectOf, step } from './values.ts';

/** Formats whose meaning in JSON Schema is another one. */
const otherFormats = new Set(['duration']);

/**
 * The JSON Schema (Draft 2020-12) that accepts what a structural schema of Kubernetes accepts. Keywords `x-kubernetes-*` stay in it as
 * annotations, so `toStructuralSchema` finds the way back. Adds every fault of the schema to `faults`.
 */
export function toJsonSchema(
  schema: JsonValue | undefined,
  pointer: string,
  faults: Fault[],
  position: Position = 'place',
): JsonObject {
  const source = objectOf(schema);
  if (source === undefined) {
    faults.push({ path: pointer, message: 'must be an object' });
    return new Map();
  }
  faults.push(...structuralFaults(source, pointer, position));
  const target: JsonObject = new Map();
  for (const keyword of source.keys()) convertKeyword(keyword, { source, target, pointer, faults, position });
  if (isTrue(source.get('x-kubernetes-int-or-string'))) addIntOrString(source, target);
  if (stringOf(source.get('x-kubernetes-list-type')) === 'set') target.set('uniqueItems', 'true');
  const derived = derivedRules(source);
  if (derived.length > 0) target.set('allOf', [...itemsOf(target.get('allOf')), ...derived]);
  return target;
}

/** The conversion of one schema object: what it reads, and what it adds to. */
interface Conversion {
  readonly source: JsonObject;
  readonly target: JsonObject;
  readonly pointer: string;
  readonly faults: Fault[];
  readonly position: Position;
}

function convertKeyword(keyword: string, { source, target, pointer, faults, position }: Conversion): void {
  const value = source.get(keyword) as JsonValue;
  const at = step(pointer, keyword);
  const nullable = isTrue(source.get('nullable'));
  switch (keyword) {
    case 'properties': {
      const converted: JsonObject = new Map();
      for (const [name, member] of objectOf(value) ?? [])
        converted.set(name, toJsonSchema(member, step(at, name), faults, position));
      target.set(keyword, converted);
      return;
    }
    case 'items':
      target.set(keyword, toJsonSchema(value, at, faults, position));
      return;
    case 'additionalProperties':
      target.set(keyword, value instanceof Map ? toJsonSchema(value, at, faults, position) : value);
      return;
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      target.set(
        keyword,
        itemsOf(value).map((part, index) => toJsonSchema(part, step(at, index), faults, 'junctor')),
      );
      return;
    case 'not':
      target.set(keyword, toJsonSchema(value, at, faults, 'junctor'));
      return;
    case 'type':
      target.set(keyword, nullable ? [value, '"null"'] : value);
      return;
    case 'nullable':
      // The type says it; without a type, null is accepted anyway.
      if (!source.has('type')) target.set(keyword, value);
      return;
    case 'minimum':
    case 'maximum':
      convertBound(keyword, value, source, target);
      return;
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'uniqueItems':
      return;
    case 'pattern':
      convertPattern(value, target, at, faults);
      return;
    case 'format':
      target.set(otherFormats.has(stringOf(value) ?? '') ? 'x-kubernetes-format' : keyword, value);
      return;
    default:
      if (!forbiddenKeywords.includes(keyword)) target.set(keyword, value);
  }
}

/** Kubernetes has the flag `exclusiveMinimum` next to `minimum`, JSON Schema one number. */
function convertBound(
  keyword: 'minimum' | 'maximum',
  value: JsonValue,
  source: JsonObject,
  target: JsonObject,
) {
  const exclusive = keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  target.set(isTrue(source.get(exclusive)) ? exclusive : keyword, value);
}

function convertPattern(value: JsonValue, target: JsonObject, at: string, faults: Fault[]): void {
  const source = stringOf(value);
  const pattern = source === undefined ? undefined : ecmaPattern(source);
  if (pattern === null)
    faults.push({ path: at, message: 'must be a regular expression that Go and ECMAScript have in common' });
  target.set('pattern', typeof pattern === 'string' ? JSON.stringify(pattern) : value);
  if (typeof pattern === 'string' && pattern !== source) target.set('x-kubernetes-pattern', value);
}

function addIntOrString(source: JsonObject, target: JsonObject): void {
  const nullable = isTrue(source.get('nullable'));
  if (!source.has('type') && !source.has('anyOf') && !source.has('allOf')) {
    target.set('type', jsonValueOf(nullable ? ['integer', 'string', 'null'] : ['integer', 'string']));
  } else if (nullable && source.has('anyOf')) {
    target.set('anyOf', [...itemsOf(target.get('anyOf')), jsonValueOf({ type: 'null' })]);
  }
}
