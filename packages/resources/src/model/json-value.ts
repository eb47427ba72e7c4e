import { JsonTokens } from '@platform/kernel';
import { canonicalNumber } from './canonical-number.ts';
import type { JsonText } from './resource.ts';

/**
 * A JSON value that loses nothing (docs/decisions/0026-patches-on-exact-values.md): a scalar is its text, so numbers keep their digits; an
 * object is a map, so keys such as `__proto__` and `10` are ordinary keys and keep their place.
 */
export type JsonValue = JsonText | JsonValue[] | JsonObject;

/** An object of exact values. */
export type JsonObject = Map<string, JsonValue>;

/** Reads a text that `parseDocument` has accepted: it is valid, and its nesting is bounded. */
export function parseValue(text: JsonText): JsonValue {
  const tokens = new JsonTokens(text);
  return readValue(tokens, nextOf(tokens));
}

function nextOf(tokens: JsonTokens): string {
  const token = tokens.next();
  if (token === undefined) throw new Error('parseValue was given a text that is not valid JSON');
  return token;
}

function readValue(tokens: JsonTokens, first: string): JsonValue {
  if (first === '[') return readArray(tokens);
  return first === '{' ? readObject(tokens) : first;
}

function readArray(tokens: JsonTokens): JsonValue[] {
  const items: JsonValue[] = [];
  for (let next = nextOf(tokens); next !== ']'; next = nextOf(tokens)) {
    items.push(readValue(tokens, next === ',' ? nextOf(tokens) : next));
  }
  return items;
}

function readObject(tokens: JsonTokens): JsonObject {
  const members: JsonObject = new Map();
  for (let next = nextOf(tokens); next !== '}'; next = nextOf(tokens)) {
    const key = JSON.parse(next === ',' ? nextOf(tokens) : next) as string;
    nextOf(tokens);
    members.set(key, readValue(tokens, nextOf(tokens)));
  }
  return members;
}

/** The value as text, without white space. */
export function renderValue(value: JsonValue): JsonText {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map(renderValue).join(',')}]`;
  return `{${Array.from(value, ([key, member]) => `${JSON.stringify(key)}:${renderValue(member)}`).join(',')}}`;
}

/** The least number of characters of {@link renderValue}: keys count without their escapes. */
export function lengthOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length;
  let length = 2;
  if (Array.isArray(value)) for (const item of value) length += lengthOf(item) + 1;
  else for (const [key, member] of value) length += key.length + lengthOf(member) + 4;
  return length;
}

/** Whether a value is an object or a list without members. */
export function isEmptyCollection(value: JsonValue): boolean {
  return typeof value !== 'string' && (Array.isArray(value) ? value.length : value.size) === 0;
}

/** An independent copy. */
export function cloneValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(cloneValue);
  return new Map(Array.from(value, ([key, member]) => [key, cloneValue(member)]));
}

/** Whether two values are equal: the order of keys and the notation of scalars do not count, but every digit does. */
export function equalValues(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (typeof a === 'string' || typeof b === 'string') return typeof a === typeof b && sameScalar(a, b);
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => equalValues(item, b[index]));
  }
  if (Array.isArray(b) || a.size !== b.size) return false;
  for (const [key, member] of a) if (!b.has(key) || !equalValues(member, b.get(key))) return false;
  return true;
}

function sameScalar(a: unknown, b: unknown): boolean {
  return a === b || scalarKey(a as string) === scalarKey(b as string);
}

/** Returns the same text for equal scalars, and different texts for a string and a number. */
export function scalarKey(text: JsonText): string {
  // Without an escape, a string has one notation.
  if (text.startsWith('"')) return text.includes('\\') ? JSON.stringify(JSON.parse(text)) : text;
  return /^[-\d]/.test(text) ? canonicalNumber(text) : text;
}

/** The string that a scalar is, or undefined when it is something else. */
export function stringOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.startsWith('"') ? (JSON.parse(value) as string) : undefined;
}
