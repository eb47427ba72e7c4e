import type { ExternalClaims } from '../kinds/external.ts';
import type { ControllerEntry } from '../ports/directories.ts';
import type { ClaimPatterns } from './claim-patterns.ts';
import { matchesTexts, readClaimTexts } from './match-claims.ts';

/** A candidate that is matched against a token: a controller entry or a service account. */
interface Candidate {
  readonly claims: ClaimPatterns;
}

/** None, exactly one, or several candidates fit. Several is a refusal, never a choice. */
type Match<T> =
  | { readonly outcome: 'none' }
  | { readonly outcome: 'one'; readonly value: T }
  | { readonly outcome: 'several' };

/**
 * The one candidate whose required claims the token satisfies. The caller hands in candidates of the token's
 * own issuer only. All of them are tried, so that the time does not tell which one fits.
 */
export function uniqueMatch<T extends Candidate>(
  candidates: readonly T[],
  claims: Readonly<Record<string, unknown>>,
): Match<T> {
  const texts = readClaimTexts(claims);
  const fitting = candidates.filter((candidate) => matchesTexts(candidate.claims, texts));
  const [value] = fitting;
  if (value === undefined) return { outcome: 'none' };
  return fitting.length === 1 ? { outcome: 'one', value } : { outcome: 'several' };
}

/** The controller of a verified token: the one entry of its issuer that matches. */
export function matchController(
  entries: readonly ControllerEntry[],
  claims: ExternalClaims,
): Match<ControllerEntry> {
  return uniqueMatch(
    entries.filter((entry) => entry.issuer === claims.iss),
    claims,
  );
}
