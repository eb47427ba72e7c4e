import { isBuiltIn, type OrganizationFacts, type Resource } from '@platform/resources';
import type { Table } from './table.ts';

/** The facts about Organizations for a transaction, which is alone: its bootstrap lock is the store's one mutex. */
export function organizationFactsOn(table: Table): OrganizationFacts {
  const organizations = (): readonly Resource[] =>
    table.rows().filter((row) => isBuiltIn('Organization', row.apiVersion, row.kind));
  return {
    async lockBootstrap() {},

    async any() {
      return organizations().length > 0;
    },

    async exists(name) {
      return organizations().some((row) => row.name === name);
    },
  };
}
