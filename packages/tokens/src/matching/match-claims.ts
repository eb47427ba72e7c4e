import type { ClaimPatterns } from './claim-patterns.ts';

/**
 * Whether a token's claims satisfy every required claim. A claim that
 * is absent, null or an object matches nothing; an array matches when one of its elements does.
 * Patterns without `aud` match no token at all, whatever else they require.
 */
export function matchesClaims(patterns: ClaimPatterns, claims: Readonly<Record<string, unknown>>): boolean {
  // Attack: a token that was made for another service is replayed here.
  if (!Object.hasOwn(patterns, 'aud')) return false;
  return Object.entries(patterns).every(
    // Attack: `constructor` or `__proto__` as the claim's name would find an inherited member.
    ([name, pattern]) => Object.hasOwn(claims, name) && matchesValue(pattern, claims[name]),
  );
}

function matchesValue(pattern: string, value: unknown): boolean {
  const candidates: readonly unknown[] = Array.isArray(value) ? value : [value];
  return candidates.some((candidate) => {
    const text = textOf(candidate);
    return text !== undefined && matchesWildcard(pattern, text);
  });
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  // Attack: beyond 2^53 neighbouring numbers read as one, so that another's id would match. Such match nothing.
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return JSON.stringify(value);
  return undefined;
}

/**
 * Whether the whole `text` matches `pattern`, in which `*` stands for any run of characters, the empty one
 * included, and everything else for itself, case-sensitive.
 *
 * Attack: compiled to a regular expression, a dot of the pattern would match any character, and `*a*a*a*b`
 * would hold the service up. This walk takes the leftmost place for each part and never backtracks.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  if (parts.length === 1) return text === pattern;
  const last = parts[parts.length - 1] ?? '';
  // The first and the last part must not share characters: `ab*ba` does not match `aba`.
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
