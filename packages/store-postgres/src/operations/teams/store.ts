import type { TeamStore } from '@platform/projects';
import type { Database } from '../../database.ts';
import { retrying } from '../../retry.ts';
import { findTeam } from './find.ts';
import { listTeamRows } from './list.ts';
import { insertTeam, removeTeam, replaceTeamRow } from './write.ts';

/** Teams on PostgreSQL. */
export function createTeamStore(database: Database): TeamStore {
  return {
    find: (name) => findTeam(database, name),
    list: (viewer, defaultOrganization, page) => listTeamRows(database, viewer, defaultOrganization, page),
    insert: (draft) => retrying(() => database.transaction((sql) => insertTeam(sql, draft))),
    replace: (draft) => retrying(() => database.transaction((sql) => replaceTeamRow(sql, draft))),
    remove: (uid) => removeTeam(database, uid),
  };
}
