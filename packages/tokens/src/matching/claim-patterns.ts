import { type Fault, schemaFaults } from '@platform/kernel';
import { z } from 'zod';
import { maxTokenBytes } from '../jws/read-token.ts';

/** Required claims: name of the claim to the pattern its value must match; `*` stands for any run of characters. */
export type ClaimPatterns = Readonly<Record<string, string>>;

const patternSchema = z.union([z.string().min(1, 'must not be empty').max(1024), z.number(), z.boolean()], {
  error: 'must be a text, a number or a boolean',
});
/** Required claims as they may be written; a separate check requires `aud`. */
export const claimPatternsSchema = z.record(z.string().min(1).max(256), patternSchema, {
  error: ({ code }) => (code === 'invalid_key' ? 'must have a name of 1 to 256 characters' : undefined),
});

/** The registered claims that say nothing about the caller (RFC 7519 section 4.1). */
const claimsOfTheToken: ReadonlySet<string> = new Set(['iss', 'exp', 'nbf', 'iat', 'jti']);

/** Most claims an entry may require. */
const maxPatterns = 32;

/**
 * Most characters of the names and patterns of an entry together: no token has room for more claims. Attack: each token of an issuer is
 * compared with all accounts of a project that trust it, a thousand at most, and theirs are as long as they can be.
 */
const maxCharacters = (maxTokenBytes * 3) / 4;

/**
 * Reads required claims from configuration or a service account, and collects every fault. Numbers and booleans are kept as their JSON
 * text. `minimum` is 1 for a controller (`aud`), 2 for a service account (`aud` and one that tells its callers apart). Paths are JSON
 * pointers below `at`.
 */
export function readClaimPatterns(
  value: unknown,
  minimum: 1 | 2,
  at: string,
): { readonly patterns: ClaimPatterns; readonly faults: readonly Fault[] } {
  const parsed = claimPatternsSchema.safeParse(value);
  if (!parsed.success) return { patterns: {}, faults: schemaFaults(parsed.error.issues, at) };
  // Attack: a required claim that is dropped silently widens who matches. The schema drops this one.
  if (Object.hasOwn(value as object, '__proto__')) {
    return { patterns: {}, faults: [{ path: `${at}/__proto__`, message: 'is not a claim of a token' }] };
  }
  // Without a prototype, so that no claim name can meet an inherited member.
  const patterns: Record<string, string> = Object.create(null);
  for (const [name, pattern] of Object.entries(parsed.data)) {
    patterns[name] = typeof pattern === 'string' ? pattern : JSON.stringify(pattern);
  }
  const names = Object.keys(patterns);
  const others = names.filter((name) => name !== 'aud');
  // Attack: any token of the issuer has `iss`, `exp` and `iat`, so a service account whose second claim is one of them is everyone's.
  const identifying = minimum === 2 ? others.filter((name) => !claimsOfTheToken.has(name)) : others;
  const faults: Fault[] = [];
  if (!names.includes('aud')) faults.push({ path: `${at}/aud`, message: 'is required' });
  if (others.length + 1 < minimum) {
    faults.push({ path: at, message: 'must require at least one claim besides aud' });
  } else if (identifying.length + 1 < minimum) {
    const message =
      'must have a claim besides aud that identifies the caller: iss, exp, nbf, iat and jti do not';
    faults.push({ path: at, message });
  }
  // Attack: "aud is mandatory" and "one more claim" are met by any token of the issuer when their patterns match everything.
  if (matchesAnything(patterns['aud'])) {
    faults.push({ path: `${at}/aud`, message: 'must not be just "*": it must name the audience' });
  }
  if (identifying.length > 0 && identifying.every((name) => matchesAnything(patterns[name]))) {
    faults.push({ path: at, message: 'must have a claim besides aud that is not just "*"' });
  }
  if (names.length > maxPatterns) {
    faults.push({ path: at, message: `must not require more than ${maxPatterns} claims` });
  }
  if (Object.entries(patterns).flat().join('').length > maxCharacters) {
    const message = `must have at most ${maxCharacters} characters in names and patterns together, which is all that fits into a token`;
    faults.push({ path: at, message });
  }
  return { patterns, faults };
}

function matchesAnything(pattern: string | undefined): boolean {
  return pattern !== undefined && /^\*+$/.test(pattern);
}
