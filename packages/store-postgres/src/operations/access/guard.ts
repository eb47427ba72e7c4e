import { arrayLiteral, type Parameter } from '@platform/postgres';
import type { AccessGuard } from '@platform/resources';
import { storedAccessVersion } from './load-access.ts';

/** The parameters of a guard: the version, and an array each of the scopes and the names of its entries. */
export function guardParameters({
  version,
  entries,
}: AccessGuard): readonly [Parameter, Parameter, Parameter] {
  return [
    version,
    arrayLiteral(entries.map(({ scope }) => scope)),
    arrayLiteral(entries.map(({ name }) => name)),
  ];
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

/** SQL for the uids in the column `scope_uids` of the alias that still exist; a RoleBinding is in no scope that is gone. */
export function existingScopes(alias: string): string {
  return `case when ${alias}.scope_uids is null then '{}'
    else array(select s.uid from resources s where s.uid = any (${alias}.scope_uids))::text end`;
}

/**
 * SQL for whether a guard lets the row of the table alias `r` through. The three operands are SQL, without casts, for
 * {@link guardParameters}.
 *
 * Attack: a binding is revoked between the decision of a replica and the statement. So the statement compares the version in its own
 * snapshot.
 */
export function admittedRow(version: string, scopes: string, names: string): string {
  return `${storedAccessVersion} = ${version}::uuid and exists (
      select from unnest(${scopes}::uuid[], ${names}::text[]) as entry(scope, name)
      where (entry.name is null or entry.name = r.name) and (
        entry.scope is null or entry.scope = r.uid or entry.scope = any (r.ancestor_uids) or ${isBindingIn('entry.scope')}))`;
}

/** SQL for whether a guard lets the rows of a collection through, whose ancestors have the uids in the array `above`. */
export function admittedCollection(above: string, version: string, scopes: string): string {
  return `(${storedAccessVersion} = ${version}::uuid and exists (
      select from unnest(${scopes}::uuid[]) as entry(scope) where entry.scope is null or entry.scope = any (${above})))`;
}
