import {
  type DefinitionFacts,
  type DefinitionSource,
  type GroupKind,
  groupOf,
  maxParentChain,
  type Resource,
} from '@platform/resources';
import { type Claim, claimsIn, same } from './claims.ts';
import type { Table } from './table.ts';

/** Reads of the definitions in whatever table is the committed one at the moment of the call. */
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
  };
}

function leafIn(table: Table, group: string, plural: string): readonly [Resource, Claim] | null {
  return claimsIn(table.rows()).find(([, claim]) => claim.group === group && claim.plural === plural) ?? null;
}

/** The facts about definitions for a transaction, which is alone: its catalog lock is the store's one mutex. */
export function definitionFactsOn(table: Table): DefinitionFacts {
  return {
    async lockCatalog() {},

    async lockDefinition(uid) {
      return table.row(uid)?.revision ?? null;
    },

    async claiming(plural, identity, exceptUid) {
      return claimsIn(table.rows())
        .filter(([row, claim]) => row.uid !== exceptUid && (claim.plural === plural || same(claim, identity)))
        .map(([row]) => row);
    },

    async chain(identity, limit) {
      return chainFrom(table, identity, limit);
    },

    async heightBelow(identity, limit) {
      return heightBelow(claimsIn(table.rows()), identity, limit);
    },

    async countInstances(_definitionUid, identity) {
      const counts = new Map<string, number>();
      for (const row of table.rows()) {
        if (row.kind !== identity.kind || groupOf(row.apiVersion) !== identity.group) continue;
        counts.set(row.apiVersion, (counts.get(row.apiVersion) ?? 0) + 1);
      }
      return counts;
    },
  };
}

/** From the kind up to its root; the limit also ends a chain that was bent into a circle in the database. */
function chainFrom(table: Table, identity: GroupKind, limit: number): readonly Resource[] {
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

function heightBelow(
  all: readonly (readonly [Resource, Claim])[],
  identity: GroupKind,
  limit: number,
): number {
  if (limit === 0) return 0;
  const below = all.filter(([, claim]) => claim.parent !== null && same(claim.parent, identity));
  return below.reduce((height, [, claim]) => Math.max(height, 1 + heightBelow(all, claim, limit - 1)), 0);
}
