import { isOfKind, type OrganizationFacts, organizations, type Resource } from '@platform/resources';
import type { Table } from './table.ts';

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
