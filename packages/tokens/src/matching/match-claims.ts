import type { ClaimPatterns } from './claim-patterns.ts';
import { matchesWildcard } from './wildcard.ts';

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
