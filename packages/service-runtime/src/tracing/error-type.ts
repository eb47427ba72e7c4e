const word = /^[\w.:-]{1,64}$/;

/**
 * What `error.type` says of a failure: the reason or code that errors of the platform, of Node.js and of PostgreSQL carry, else the name of its
 * class. Never its message, which can hold what a client sent.
 */
export function errorType(error: unknown): string {
  const { reason, code, name } = (error ?? {}) as Readonly<Record<string, unknown>>;
  for (const candidate of [reason, code, name]) {
    if (typeof candidate === 'string' && word.test(candidate)) return candidate;
  }
  return '_OTHER';
}
