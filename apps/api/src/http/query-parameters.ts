import { isUtf8 } from 'node:buffer';
import { Problem } from '@platform/kernel';

/**
 * The parameters of a raw query, without the `?`. Throws `invalid_query` for bytes that are not UTF-8: all of them would become the same
 * character, and a filter would find something else than was meant.
 */
export function parametersIn(rawQuery: string): URLSearchParams {
  if (!isPercentEncodedUtf8(rawQuery))
    throw new Problem('invalid_query', 'The query is not percent-encoded UTF-8.');
  return new URLSearchParams(rawQuery);
}

/** Whether every run of percent-encoded bytes in a text is UTF-8 (RFC 3986 section 2.5). */
export function isPercentEncodedUtf8(text: string): boolean {
  const runs = text.match(/(?:%[0-9a-f]{2})+/gi) ?? [];
  return runs.every((run) => isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')));
}

/**
 * The parameters of a query, each of them once.
 *
 * Attack: of two values of one parameter, one reader checks the first and another uses the second (RFC 6749 section 3.1).
 */
export function singleParameters(query: URLSearchParams): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of query) {
    if (parameters.has(name)) throw repeated(name);
    parameters.set(name, value);
  }
  return parameters;
}

/** The value of one parameter; null when it was not sent. */
export function singleParameter(query: URLSearchParams, name: string): string | null {
  const [value = null, ...more] = query.getAll(name);
  if (more.length > 0) throw repeated(name);
  return value;
}

function repeated(name: string): Problem {
  return new Problem('invalid_query', `Query parameter ${name} must appear once.`);
}
