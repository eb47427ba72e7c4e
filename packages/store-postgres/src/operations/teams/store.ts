import type { Statements } from '@platform/postgres';
import type { TeamStore } from '@platform/projects';
import { findTeam, listTeamRows } from './read.ts';
import { insertTeam } from './write.ts';

/** Teams on PostgreSQL. */
export function createTeamStore(database: Statements): TeamStore {
  return {
    find: (name) => findTeam(database, name),
    list: (viewer, defaultOrganization, page) => listTeamRows(database, viewer, defaultOrganization, page),
    insert: (draft, audit) =>
      database.withLockRetry((inner) => inner.transaction((sql) => insertTeam(sql, draft, audit))),
  };
}
