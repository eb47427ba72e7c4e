import { OAuthError } from '@platform/kernel';

/** The parameters of an OAuth request: each at most once, none empty. */
export type Parameters = ReadonlyMap<string, string>;

/** The value of a required parameter; `invalid_request` if it is missing. */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is required`);
  return value;
}

/** Throws `invalid_request` if parameters have more bytes than `limits` allows; the message names all of them. */
export function requireShort(parameters: Parameters, limits: Readonly<Record<string, number>>): void {
  const faults = Object.entries(limits)
    .filter(([name, limit]) => Buffer.byteLength(parameters.get(name) ?? '') > limit)
    .map(([name, limit]) => `${name} has more than ${limit} bytes`);
  if (faults.length > 0) throw new OAuthError('invalid_request', faults.join('; '));
}

/** The text with `?` for each character that RFC 6749 does not allow in `error` and `error_description`, cut to `max` characters. */
export function printable(text: string, max = 200): string {
  return text.slice(0, max).replace(/[^\x20\x21\x23-\x5B\x5D-\x7E]/g, '?');
}
