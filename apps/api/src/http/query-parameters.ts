import { Problem } from '@platform/kernel';

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
