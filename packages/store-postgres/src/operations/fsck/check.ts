import { builtInCollections, platformGroup } from '@platform/resources';

/** One invariant of the database, as the question which rows break it. */
export interface Check {
  /** Stable, snake_case; `docs/fsck.md` has an entry for each. */
  readonly name: string;
  /** What must hold. */
  readonly invariant: string;
  /** SQL that selects `id` and `what` of each row that breaks it, as text. `$1` is the age in seconds that may still be work in hand. */
  readonly text: string;
}

/** SQL that names a resource for people. */
export function resourceName(row: string): string {
  return `${row}.kind || ' ' || ${row}.name || ' (' || ${row}.api_version || ')'`;
}

/** SQL that is true when two expressions are the group and the name of a built-in kind. */
export function namesBuiltIn(group: string, kind: string): string {
  const kinds = builtInCollections.map((one) => `'${one.kind}'`);
  return `(${group} = '${platformGroup}' and ${kind} in (${kinds.join(', ')}))`;
}

/** SQL that is true for a row of a built-in kind. */
export function isBuiltIn(row: string): string {
  return namesBuiltIn(`${row}.api_group`, `${row}.kind`);
}

/** SQL that is true for rows with owner references. */
export function hasOwners(row: string): string {
  return `${row}.owner_references::jsonb <> '[]'::jsonb`;
}
