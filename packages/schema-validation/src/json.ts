import { escapePointer, pointerSteps } from '@platform/kernel';

/** A value that `JSON.parse` can return. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Its keys are untrusted: never use one to index an object that has a prototype. */
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Appends one step to a JSON pointer (RFC 6901). */
export function step(pointer: string, key: string | number): string {
  return `${pointer}/${escapePointer(String(key))}`;
}

/** The value at a JSON pointer (own members only), or undefined. */
export function at(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const key of pointerSteps(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

/** The nesting depth of arrays and objects; stops counting at `limit` + 1. */
export function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (limit === 0) return 1;
  let maxDepth = 0;
  for (const member of Object.values(value)) maxDepth = Math.max(maxDepth, depthOf(member, limit - 1));
  return maxDepth + 1;
}

/** The number of values in a value, including itself. */
export function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const member of Object.values(value)) count += countValues(member);
  return count;
}

/**
 * A text that is equal for equal JSON values, regardless of the order of members; numbers compare by value.
 * `JSON.stringify` is not enough, because it writes `Infinity` (the value of `1e400`) as `null`.
 */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (isObject(value)) {
    const members = Object.keys(value).sort();
    return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
  }
  return String(value === 0 ? 0 : value);
}
