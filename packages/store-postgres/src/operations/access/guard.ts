import { arrayLiteral, type Parameter } from '@platform/postgres';
import { type AccessGuard, isUnrestricted } from '@platform/resources';
import { storedAccessVersion } from './load-access.ts';

/** SQL that compares a guard with a row; guards of one shape differ in the parameters only. `operand(n)` is SQL for the n-th of them. */
interface ComparedGuard {
  readonly shape: string;
  readonly parameters: readonly Parameter[];
  condition(operand: (index: number) => string): string;
}

/**
 * How a statement compares a guard with the row of the alias `r`.
 *
 * Attack: a binding is revoked between the decision of a replica and the statement. So the statement compares the version in its own
 * snapshot.
 */
export function comparedGuard(guard: AccessGuard): ComparedGuard {
  const { version, entries } = guard;
  const named = entries.some(({ name }) => name !== null);
  // Uids need no quotes.
  const scopes = isUnrestricted(guard) ? null : `{${entries.map(({ scope }) => scope ?? 'null').join(',')}}`;
  return {
    shape: named ? 'guarded by name' : 'guarded',
    parameters: [version, scopes, ...(named ? [arrayLiteral(entries.map(({ name }) => name))] : [])],
    condition: (operand) =>
      `${storedAccessVersion} = ${operand(0)}::uuid and ${named ? admitsByName(operand(1), operand(2)) : admitsInScopes(operand(1))}`,
  };
}

/** For guards without names, as most are: comparing arrays is much cheaper than a row for each entry. */
function admitsInScopes(scopes: string): string {
  return `(r.ancestor_uids && ${scopes}::uuid[] or r.uid = any (${scopes}::uuid[]) or ${scopes}::uuid[] is null
      or r.scope_uids is not null and r.scope_uids && array(select s.uid from resources s where s.uid = any (${scopes}::uuid[])))`;
}

function admitsByName(scopes: string, names: string): string {
  return `exists (
      select from unnest(${scopes}::uuid[], ${names}::text[]) as entry(scope, name)
      where (entry.name is null or entry.name = r.name) and (
        entry.scope is null or entry.scope = r.uid or entry.scope = any (r.ancestor_uids) or ${isBindingIn('entry.scope')}))`;
}

/**
 * SQL for whether the row of the alias `r` is a RoleBinding whose scope is the one in `scope`, or below it. A scalar subquery stays a look-up by
 * key, and is reached for RoleBindings only.
 *
 * Attack: a scope was removed, and those who were bound to it read or change the bindings that were in it.
 */
export function isBindingIn(scope: string): string {
  return `${scope} = any (r.scope_uids) and (select true from resources s where s.uid = ${scope})`;
}

/** SQL for the uids in the column `scope_uids` of the alias that still exist, because a scope that is gone grants nothing. */
export function existingScopes(alias: string): string {
  return `case when ${alias}.scope_uids is null then '{}'
    else array(select s.uid from resources s where s.uid = any (${alias}.scope_uids))::text end`;
}

/** SQL for whether a guard lets the rows of a collection through, whose ancestors have the uids in the array `above`. */
export function admittedCollection(above: string, version: string, scopes: string): string {
  return `(${storedAccessVersion} = ${version}::uuid and (${above} && ${scopes}::uuid[] or array_position(${scopes}::uuid[], null) is not null))`;
}

/**
 * SQL for whether a guard lets a selection through that is below the row with the uid in `parent`, or a part of it where it may show parts;
 * without a parent, one that begins at the root. A null in place of the scopes is a guard without restrictions.
 */
export function admittedSelection(
  parent: string | null,
  showsPart: boolean,
  version: string,
  scopes: string,
): string {
  const whole = `exists (select from resources p where p.uid = ${parent} and (p.ancestor_uids || p.uid) && ${scopes}::uuid[])`;
  const below = `and ${parent} = any (s.ancestor_uids || coalesce(s.scope_uids, '{}'))`;
  const part = `exists (select from resources s where s.uid = any (${scopes}::uuid[]) ${parent === null ? '' : below})`;
  const covered = [...(parent === null ? [] : [whole]), ...(showsPart ? [part] : [])].join(' or ');
  return `(${storedAccessVersion} = ${version}::uuid and (${scopes}::uuid[] is null or ${covered}))`;
}
