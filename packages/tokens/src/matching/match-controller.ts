import type { ExternalClaims } from '../kinds/external.ts';
import type { ControllerEntry } from '../ports/directories.ts';
import { type Match, uniqueMatch } from './unique-match.ts';

/** Which controller a genuine token stands for: of the entries of its issuer, the one that matches. */
export function matchController(
  entries: readonly ControllerEntry[],
  claims: ExternalClaims,
): Match<ControllerEntry> {
  return uniqueMatch(
    entries.filter((entry) => entry.issuer === claims.iss),
    claims,
  );
}
