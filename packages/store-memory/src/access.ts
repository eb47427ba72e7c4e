import { type AccessSource, storedBinding, storedRole } from '@platform/access';
import { type AccessFacts, identityOf, isOfKind, roleBindings, roles } from '@platform/resources';
import type { Table } from './table.ts';

/** The facts about roles and bindings for a transaction. */
export function accessFactsOn(table: Table): AccessFacts {
  return {
    ...accessSourceOf(() => table),
    async lineage(uid) {
      const row = table.row(uid);
      if (row === null) return null;
      const terminating = row.deletionTimestamp !== null;
      return { identity: identityOf(row), terminating, within: table.within(row) };
    },
    async role(name) {
      const row = table.rows().find((each) => isOfKind(each, roles) && each.name === name);
      return row === undefined ? null : storedRole(name, JSON.parse(row.spec));
    },
    async rolesCreated() {
      return table.access.rolesCreated;
    },
    async markRolesCreated() {
      table.markRolesCreated();
    },
  };
}

/** Reads roles and bindings. It has no service accounts. */
export function accessSourceOf(current: () => Table): AccessSource {
  return {
    async load() {
      const table = current();
      const specs = (kind: typeof roles) =>
        table
          .rows()
          .filter((row) => isOfKind(row, kind) && row.deletionTimestamp === null)
          .map(({ name, spec }) => [name, JSON.parse(spec)] as const);
      return {
        version: table.access.version,
        roles: specs(roles).map(([name, spec]) => storedRole(name, spec)),
        bindings: specs(roleBindings).flatMap(([name, spec]) => storedBinding(name, spec) ?? []),
        serviceAccounts: new Map(),
      };
    },
    async version() {
      return current().access.version;
    },
  };
}
