import type { Sql } from '@platform/postgres';
import { builtInCollections, platformGroup } from '@platform/resources';

/** A row, or another object of the database, that breaks an invariant, and how. */
export interface BrokenRow {
  readonly id: string;
  readonly what: string;
}

/** One invariant of the database, with the way to find what breaks it. */
export type Check = {
  /** Stable, snake_case; `docs/fsck.md` has an entry for each. */
  readonly name: string;
  /** The invariant. */
  readonly invariant: string;
} & (
  | {
      /** SQL that selects `id` and `what` of each row that breaks it, as text. `$1` is an age in seconds: younger rows may be work in progress. */
      readonly text: string;
    }
  | { readonly find: (sql: Sql) => Promise<readonly BrokenRow[]> }
);

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
