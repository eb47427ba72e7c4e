import { PlatformError } from './platform-error.ts';
import type { Json } from './transport.ts';

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

/**
 * The numbers in a JSON document that JSON.parse would change: integers beyond 2^53, `1e400`. Writing the parsed document back
 * would destroy them silently. The top-level `status` is skipped, because it is not written back.
 */
export function lossyNumbers(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let member = '';
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ':' && depth === 1) member = last;
    else if (/^-?\d/.test(token) && member !== '"status"' && isLossy(token)) found.push(token);
    last = token;
  }
  return found;
}

/** Throws `lossy_number` when `json` would change numbers of the document. */
export function requireLossless(json: Json, text: string): void {
  if (json !== JSON) return;
  const lossy = lossyNumbers(text);
  if (lossy.length === 0) return;
  const detail = `writing back would change the numbers ${lossy.slice(0, 3).join(', ')}; pass a lossless "json" to createClient`;
  throw new PlatformError({ status: 0, code: 'lossy_number', detail });
}

function isLossy(token: string): boolean {
  return normalized(token) !== normalized(String(Number(token)));
}

/** The digits and the exponent of a decimal number, so that `1.50` equals `15e-1`. Without regular expressions, which take minutes for `10…01`. */
function normalized(text: string): string {
  if (!/^-?\d/.test(text)) return text;
  const [mantissa = '', exponent = '0'] = text.split(/[eE]/, 2);
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.', 2);
  const all = whole + fraction;
  let start = 0;
  while (all[start] === '0') start += 1;
  let end = all.length;
  while (end > start && all[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  return `${all.slice(start, end)}e${Number(exponent) - fraction.length + all.length - end}`;
}
