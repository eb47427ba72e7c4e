import type { Statements } from '@platform/postgres';
import type { ProjectStore } from '@platform/projects';
import { hasAddress, lostAddressRace } from './addresses.ts';
import { InsertRefused, insertProject } from './insert.ts';
import { findProject, findProjectForAccount, listProjectRows } from './read.ts';

/** Projects on PostgreSQL. */
export function createProjectStore(database: Statements): ProjectStore {
  return {
    find: (name) => findProject(database, name),
    findForAccount: (name, accountUid) => findProjectForAccount(database, name, accountUid),
    list: (viewer, defaultOrganization, page) => listProjectRows(database, viewer, defaultOrganization, page),
    hasAddress: (address) => hasAddress(database, address),
    async insert(draft, production, reservedSince, audit) {
      try {
        return await database.withLockRetry((inner) =>
          inner.transaction((sql) => insertProject(sql, draft, production, reservedSince, audit)),
        );
      } catch (error) {
        if (error instanceof InsertRefused) return error.result;
        if (lostAddressRace(error)) return { outcome: 'addressTaken', addresses: [] };
        throw error;
      }
    },
  };
}
