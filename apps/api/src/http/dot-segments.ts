/**
 * Whether a path has a segment `.` or `..`, also in the encodings that some proxies decode.
 *
 * Attack: a proxy that lets only one prefix through passes `/prefix/../elsewhere`. Paths are never resolved here, and where a prefix
 * would answer such a path with something of its own, it is refused instead, so that no cache keeps an answer under a path that it resolves.
 */
export function hasDotSegment(path: string): boolean {
  // Most paths have neither.
  if (!path.includes('/.') && !path.includes('%') && !path.includes('\\')) return false;
  const decoded = path.replace(/%2e/gi, '.').replace(/%2f|%5c|\\/gi, '/');
  return /\/\.\.?(?:\/|$)/.test(decoded);
}
