import type { ClaimPatterns } from './claim-patterns.ts';

type Claims = Readonly<Record<string, unknown>>;

/** The texts that patterns are compared with, by the name of the claim; none for a claim that is absent. */
export type ClaimTexts = (name: string) => readonly string[];

/**
 * Reads the texts of each claim once. Attack: a token lists thousands of values, and is compared with a thousand accounts.
 */
export function readClaimTexts(claims: Claims): ClaimTexts {
  const known = new Map<string, readonly string[]>();
  return (name) => {
    // Attack: `constructor` or `__proto__` as the claim's name would find an inherited member.
    const texts = known.get(name) ?? (Object.hasOwn(claims, name) ? textsOf(claims[name]) : []);
    known.set(name, texts);
    return texts;
  };
}

/**
 * Whether a token's claims satisfy every required claim. A claim that
 * is absent, null or an object matches nothing; an array matches when one of its elements does.
 * Patterns without `aud` match no token at all, whatever else they require.
 */
export function matchesClaims(patterns: ClaimPatterns, claims: Claims): boolean {
  return matchesTexts(patterns, readClaimTexts(claims));
}

/** {@link matchesClaims}, for claims that are compared with many patterns. */
export function matchesTexts(patterns: ClaimPatterns, texts: ClaimTexts): boolean {
  // Attack: a token that was made for another service is replayed here.
  if (!Object.hasOwn(patterns, 'aud')) return false;
  return Object.entries(patterns).every(([name, pattern]) => matchesSome(pattern, texts(name)));
}

function matchesSome(pattern: string, texts: readonly string[]): boolean {
  const parts = partsOf(pattern);
  return texts.some((text) => matchesParts(parts, text));
}

function textsOf(value: unknown): readonly string[] {
  const candidates: readonly unknown[] = Array.isArray(value) ? value : [value];
  return candidates.map(textOf).filter((text) => text !== undefined);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  // Attack: beyond 2^53 neighbouring numbers read as one, so that another's id would match. Such match nothing.
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  return undefined;
}

/**
 * Whether the whole `text` matches `pattern`, in which `*` stands for any run of characters, the empty one
 * included, and everything else for itself, case-sensitive.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  return matchesParts(partsOf(pattern), text);
}

/** The texts between the wildcards of a pattern; a run of wildcards is one. */
function partsOf(pattern: string): readonly string[] {
  return pattern.split(/\*+/);
}

/**
 * Whether a text consists of the parts, with anything in between.
 *
 * Attack: compiled to a regular expression, a dot of the pattern would match any character, and `*a*a*a*b`
 * would hold the service up. This walk takes the leftmost place for each part and never backtracks.
 */
function matchesParts(parts: readonly string[], text: string): boolean {
  const first = parts[0] ?? '';
  if (parts.length === 1) return text === first;
  const last = parts[parts.length - 1] ?? '';
  // The first and the last part must not share characters: `ab*ba` does not match `aba`.
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (let index = 1; index < parts.length - 1; index += 1) {
    const part = parts[index] as string;
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
