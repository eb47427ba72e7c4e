import type { Statements } from '@platform/postgres';
import type { TeamStore } from '@platform/projects';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { findTeam, listTeamRows } from './read.ts';
import { insertTeam } from './write.ts';

/** Teams on PostgreSQL. */
export function createTeamStore(database: Statements): TeamStore {
  return {
    find: (name) => findTeam(database, name),
    list: (viewer, defaultOrganization, page) => listTeamRows(database, viewer, defaultOrganization, page),
    async hasOrganization(name) {
      const { outcome } = await database.transaction((sql) => lockOrganization(sql, name));
      return outcome !== 'organizationMissing';
    },
    insert: (draft, audit) =>
      database.withLockRetry((inner) => inner.transaction((sql) => insertTeam(sql, draft, audit))),
  };
}
