import type { Grant } from '@platform/access';

/** One grant: rows in the scope (null: everywhere) with the name (null: every name). */
export interface GuardEntry {
  readonly scope: string | null;
  readonly name: string | null;
}

/**
 * The rows that a request may use. Statements that find rows by a reference with a guard find no others, and none at all when roles or
 * bindings have another version by then. So a row that may not be used cannot be told from one that does not exist.
 */
export interface AccessGuard {
  readonly version: string;
  readonly entries: readonly GuardEntry[];
}

/** The guard of a request with these grants. */
export function guardOf(version: string, grants: readonly Grant[]): AccessGuard {
  const entries = grants.flatMap(({ scope, names }): readonly GuardEntry[] =>
    names === null ? [{ scope, name: null }] : names.map((name) => ({ scope, name })),
  );
  const everything = entries.find(({ scope, name }) => scope === null && name === null);
  return { version, entries: everything === undefined ? entries : [everything] };
}

/** Whether the guard lets every row through, at its version. */
export function isUnrestricted({ entries }: AccessGuard): boolean {
  return entries.some(({ scope, name }) => scope === null && name === null);
}

/** The uids of the scopes in which every name is allowed. */
export function scopesOf({ entries }: AccessGuard): readonly string[] {
  return [...new Set(entries.flatMap(({ scope, name }) => (scope === null || name !== null ? [] : [scope])))];
}

/** The uids of the scopes in which the name is allowed; null for everywhere. */
export function scopesFor({ entries }: AccessGuard, rowName: string): readonly string[] | null {
  const fitting = entries.filter(({ name }) => name === null || name === rowName);
  if (fitting.some(({ scope }) => scope === null)) return null;
  return [...new Set(fitting.flatMap(({ scope }) => scope ?? []))];
}

/** Whether the guard lets a row through that has this uid and name and is within these. */
export function admits(
  { entries }: AccessGuard,
  row: { readonly uid: string; readonly name: string; readonly within: readonly string[] },
): boolean {
  return entries.some(
    ({ scope, name }) =>
      (name === null || name === row.name) &&
      (scope === null || scope === row.uid || row.within.includes(scope)),
  );
}
