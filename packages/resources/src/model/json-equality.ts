import type { JsonText } from './resource.ts';

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/**
 * Whether two JSON texts have the same value. The order of keys, white space and the notation of numbers do not count, but without
 * the rounding of `JSON.parse` (2^53 + 1 differs from 2^53, `1.10` does not differ from `1.1`).
 */
export function sameJson(a: JsonText, b: JsonText): boolean {
  return a === b || (mayBeSame(JSON.parse(a), JSON.parse(b)) && canonical(a) === canonical(b));
}

/**
 * False for values that differ even after the rounding of `JSON.parse`, as most changed documents do. It avoids most of the
 * comparisons of canonical texts, which cost much more.
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

/** The same text for equal documents. Strings and numbers are tagged first, so that parsing loses nothing. */
function canonical(text: JsonText): string {
  const tagged = text.replace(token, (found) =>
    found.startsWith('"') ? `"$${found.slice(1)}` : `"#${canonicalNumber(found)}"`,
  );
  return JSON.stringify(sortKeys(JSON.parse(tagged)));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [key, sortKeys(member)]);
  // Arrays of pairs, because objects move integer-like keys to the front.
  return { pairs: entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) };
}

/** Digits of an exponent that are still computed with. No document is long enough to shift a longer one by a digit. */
const maxExponentDigits = 30;

/**
 * `<sign><digits>e<exponent>` without superfluous zeros. Attack: arithmetic on an exponent of a million digits blocks the process. Longer
 * ones are compared as they are written, so two spellings of such a number may count as different.
 */
export function canonicalNumber(text: string): string {
  const [, sign = '', integer = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (integer + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const shift = digits.length - significant.length - fraction.length;
  const written = exponent.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1');
  if (written.length > maxExponentDigits)
    return `${sign}${significant}e${written}${shift === 0 ? '' : `;${shift}`}`;
  return `${sign}${significant}e${BigInt(written) + BigInt(shift)}`;
}
