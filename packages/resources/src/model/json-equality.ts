import { equalValues, parseValue } from './json-value.ts';
import type { JsonText } from './resource.ts';

/**
 * Whether two JSON texts have the same value. The order of keys, white space and the notation of numbers do not count, but without
 * the rounding of `JSON.parse` (2^53 + 1 differs from 2^53, `1.10` does not differ from `1.1`).
 */
export function sameJson(a: JsonText, b: JsonText): boolean {
  return a === b || (mayBeSame(JSON.parse(a), JSON.parse(b)) && equalValues(parseValue(a), parseValue(b)));
}

/**
 * False for values that differ even after the rounding of `JSON.parse`, as most changed documents do. It avoids most of the
 * comparisons of exact values, which cost much more.
 */
function mayBeSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && mayBeSame(left[key], right[key]))
  );
}
