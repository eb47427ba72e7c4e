import {
  type DefinitionSource,
  type GroupKind,
  isOfKind,
  maxParentChain,
  type Resource,
} from '@platform/resources';
import { type Claim, claimsIn, same } from './claims.ts';
import type { Table } from './table.ts';

/** Reads definitions from the table that is committed when it is called. */
export function definitionsOf(current: () => Table): DefinitionSource {
  return {
    async load(group, plural) {
      const table = current();
      const leaf = leafIn(table, group, plural);
      if (leaf === null) return { chain: [], version: null };
      return {
        chain: chainFrom(table, leaf[1], maxParentChain + 1),
        version: table.version(leaf[0].uid),
      };
    },

    async version(group, plural) {
      const table = current();
      const leaf = leafIn(table, group, plural);
      return leaf === null ? null : table.version(leaf[0].uid);
    },

    catalogVersion: async () => current().catalogVersion,

    async storedVersions(plurals) {
      const table = current();
      const versions = new Map<string, readonly string[]>();
      for (const [, claim] of claimsIn(table.rows())) {
        const used = new Set(
          table
            .rows()
            .filter((row) => isOfKind(row, claim))
            .map((row) => row.apiVersion.slice(claim.group.length + 1)),
        );
        if (plurals.includes(claim.plural) && used.size > 0) versions.set(claim.plural, [...used]);
      }
      return versions;
    },
  };
}

function leafIn(table: Table, group: string, plural: string): readonly [Resource, Claim] | null {
  return claimsIn(table.rows()).find(([, claim]) => claim.group === group && claim.plural === plural) ?? null;
}

/** The chain from the kind to its root. The limit also ends a chain that SQL made circular. */
export function chainFrom(table: Table, identity: GroupKind, limit: number): readonly Resource[] {
  const all = claimsIn(table.rows());
  const chain: Resource[] = [];
  for (let next: GroupKind | null = identity; next !== null && chain.length < limit; ) {
    const wanted: GroupKind = next;
    const entry = all.find(([, claim]) => same(claim, wanted));
    if (entry === undefined) break;
    chain.push(entry[0]);
    next = entry[1].parent;
  }
  return chain;
}
