import { type ClaimPatterns, readClaimPatterns } from '../matching/claim-patterns.ts';
import type { ControllerDirectory } from '../ports/directories.ts';

/** An entry of `auth.controllers[]` as configuration has it: patterns may be numbers and booleans. */
export interface ConfiguredController {
  readonly id: string;
  readonly issuer: string;
  readonly claims: Readonly<Record<string, string | number | boolean>>;
}

/** The directory of `auth.controllers[]`. Throws RangeError for an entry that no token may be matched against. */
export function createControllerDirectory(configured: readonly ConfiguredController[]): ControllerDirectory {
  const entries = configured.map(({ id, issuer, claims }) => ({
    id,
    issuer,
    claims: patternsOf(id, claims),
  }));
  return { entries: () => entries };
}

function patternsOf(id: string, claims: ConfiguredController['claims']): ClaimPatterns {
  const { patterns, faults } = readClaimPatterns(claims, 1, '/claims');
  const [fault] = faults;
  if (fault !== undefined) throw new RangeError(`controller ${id}: ${fault.path} ${fault.message}`);
  return patterns;
}
