import {
  type DefinitionFacts,
  type GroupKind,
  groupOf,
  isOfKind,
  type OrganizationFacts,
  organizations,
  type Resource,
} from '@platform/resources';
import { type Claim, claimsIn, same } from './claims.ts';
import { chainFrom } from './definitions.ts';
import type { Table } from './table.ts';

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

    async countInstances(_definitionUid, identity, limit) {
      const counts = new Map<string, number>();
      for (const row of table.rows()) {
        if (row.kind !== identity.kind || groupOf(row.apiVersion) !== identity.group) continue;
        counts.set(row.apiVersion, Math.min(limit, (counts.get(row.apiVersion) ?? 0) + 1));
      }
      return counts;
    },

    async parentOfInstances(identity) {
      const instance = table.rows().find((row) => isOfKind(row, identity));
      if (instance === undefined) return undefined;
      const above = instance.parentUid === null ? null : table.row(instance.parentUid);
      return above === null ? null : { group: groupOf(above.apiVersion), kind: above.kind };
    },
  };
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

/** The facts about Organizations for a transaction, which is alone: its bootstrap lock is the store's one mutex. */
export function organizationFactsOn(table: Table): OrganizationFacts {
  const stored = (): readonly Resource[] => table.rows().filter((row) => isOfKind(row, organizations));
  return {
    async lockBootstrap() {},

    async any() {
      return stored().length > 0;
    },

    async exists(name) {
      return stored().some((row) => row.name === name);
    },
  };
}
