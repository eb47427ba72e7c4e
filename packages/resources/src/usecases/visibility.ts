import { type Grant, grantFor, grantsOf } from '@platform/access';
import { builtInCollectionOf } from '../kinds/table.ts';
import type { Caller } from '../model/caller.ts';
import type { PlacedRow, ResourceReader } from '../ports/resource-reader.ts';

/** Whether the caller sees every resource. */
export function seesAll(caller: Caller): boolean {
  return caller.type === 'operator';
}

/** Whether the caller may `get` the resource. */
export function sees(caller: Caller, row: PlacedRow): boolean {
  return sight(caller)(row);
}

/**
 * Whether the caller may `get` each of many resources. Attack: ten thousand dependents, and a caller with thousands of bindings. The grants
 * on a kind are looked for once.
 */
function sight(caller: Caller): (row: PlacedRow) => boolean {
  if (caller.type === 'operator') return () => true;
  const bindings = caller.access?.bindings ?? [];
  const known = new Map<string, readonly Grant[]>();
  return (row) => {
    const { group } = row;
    const plural = row.plural ?? builtInCollectionOf(row)?.plural;
    if (plural === undefined) return false;
    const key = `${group}/${plural}`;
    // With the names that each grant covers, which are compared with the row.
    const request = { verb: 'get', group, resource: plural, name: undefined } as const;
    const grants = known.get(key) ?? grantsOf(bindings, request);
    known.set(key, grants);
    return grantFor(grants, row) !== null;
  };
}

/** A test whether the caller may `get` each of the resources. */
export async function visibleTo(
  { reader }: { readonly reader: Pick<ResourceReader, 'places'> },
  caller: Caller,
  resources: readonly { readonly uid: string }[],
): Promise<(resource: { readonly uid: string }) => boolean> {
  if (seesAll(caller)) return () => true;
  if (resources.length === 0) return () => false;
  const rows = await reader.places([...new Set(resources.map(({ uid }) => uid))]);
  const visible = new Set(rows.filter(sight(caller)).map(({ uid }) => uid));
  return ({ uid }) => visible.has(uid);
}

/** Leaves out grants in a scope that is gone: the change log still has what was in it. */
export async function inPresentScopes<T extends { readonly scope: string | null }>(
  reader: Pick<ResourceReader, 'places'>,
  granted: readonly T[],
): Promise<readonly T[]> {
  const scopes = [...new Set(granted.flatMap(({ scope }) => scope ?? []))];
  const present = new Set((await reader.places(scopes)).map(({ uid }) => uid));
  return granted.filter(({ scope }) => scope === null || present.has(scope));
}
