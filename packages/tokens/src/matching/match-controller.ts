import type { ExternalClaims } from '../kinds/external.ts';
import type { ControllerEntry } from '../ports/directories.ts';
import { type Match, uniqueMatch } from './unique-match.ts';

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
