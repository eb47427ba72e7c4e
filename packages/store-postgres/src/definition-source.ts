import type { Sql } from '@platform/postgres';
import { type DefinitionSource, maxParentChain } from '@platform/resources';
import { catalogVersion, definitionVersion, loadDefinitions } from './operations/definitions/chain.ts';

/** Reads of definitions for the catalog, on PostgreSQL. */
export function createDefinitionSource(sql: Sql): DefinitionSource {
  return {
    load: (group, plural) => loadDefinitions(sql, group, plural, maxParentChain + 1),
    version: (group, plural) => definitionVersion(sql, group, plural),
    catalogVersion: () => catalogVersion(sql),
  };
}
