import { type DefinitionSource, maxParentChain } from '@platform/resources';
import type { Sql } from './connection.ts';
import { loadDefinitions } from './operations/definitions/chain.ts';
import { readEpoch } from './operations/definitions/epoch.ts';

/** Reads of definitions for the catalog, on PostgreSQL. */
export function createDefinitionSource(sql: Sql): DefinitionSource {
  return {
    load: (group, plural) => loadDefinitions(sql, group, plural, maxParentChain + 1),
    epoch: () => readEpoch(sql),
  };
}
