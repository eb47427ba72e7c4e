import type { DefinitionVersion } from '@platform/resources';

/** The uid and version of the definition that a request was resolved with, as two parameters; null twice without one. */
export function versionParameters(definition: DefinitionVersion): readonly [string | null, string | null] {
  return [definition?.uid ?? null, definition?.version ?? null];
}

/**
 * SQL for whether a definition is still at the version that the request was resolved with, as the snapshot of the statement has it.
 * A scalar subquery is always planned as a look-up by key.
 */
export function isCurrent(uid: string, version: string): string {
  return `(${uid} is null or coalesce(
    (select d.definition_version from resources d where d.uid = ${uid}) = ${version}, false))`;
}

/** SQL of a one-row table `definition(is_current)`: {@link isCurrent} of the parameters with that number and the next one. */
export function definitionTable(parameter: number): string {
  const current = isCurrent(`$${parameter}::uuid`, `$${parameter + 1}::uuid`);
  return `definition as materialized (select ${current} as is_current)`;
}
