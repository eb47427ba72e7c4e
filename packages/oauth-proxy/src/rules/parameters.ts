import { ProxyError } from '../model/proxy-error.ts';

/** The parameters of one OAuth request: each at most once, none empty. */
export type Parameters = ReadonlyMap<string, string>;

// Longer than any value that a real client sends; refresh tokens and ID tokens with many groups are the longest.
const MAX_VALUE_LENGTH = 16_384;

/**
 * Reads `application/x-www-form-urlencoded` text, which a query string is too. A parameter without a value
 * counts as omitted (RFC 6749, section 3.1).
 *
 * Attack: of `redirect_uri=good&redirect_uri=evil` one reader takes the first and another the last, so a
 * repeated parameter is refused (RFC 6749, section 3.1), whether or not it is one that is known.
 */
export function readParameters(text: string): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '') continue;
    if (parameters.has(name))
      throw new ProxyError('invalid_request', `A parameter is repeated: ${printable(name)}`);
    if (value.length > MAX_VALUE_LENGTH)
      throw new ProxyError('invalid_request', `A parameter is too long: ${printable(name)}`);
    parameters.set(name, value);
  }
  return parameters;
}

/** A required parameter; refuses the request that lacks it. */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new ProxyError('invalid_request', `${name} is required`);
  return value;
}

/** Refuses the request when one of its parameters has more bytes than `limits` says; names every one of them. */
export function requireShort(parameters: Parameters, limits: Readonly<Record<string, number>>): void {
  const faults = Object.entries(limits)
    .filter(([name, limit]) => Buffer.byteLength(parameters.get(name) ?? '') > limit)
    .map(([name, limit]) => `${name} has more than ${limit} bytes`);
  if (faults.length > 0) throw new ProxyError('invalid_request', faults.join('; '));
}

/** What RFC 6749 lets `error` and `error_description` hold; everything else becomes `?`. At most `max` characters. */
export function printable(text: string, max = 200): string {
  return text.slice(0, max).replace(/[^\x20\x21\x23-\x5B\x5D-\x7E]/g, '?');
}
