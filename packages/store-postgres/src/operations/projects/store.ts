import type { ProjectStore } from '@platform/projects';
import type { Database } from '../../database.ts';
import { retrying } from '../../retry.ts';
import { findProject } from './find.ts';
import { insertProject } from './insert.ts';
import { listProjectRows } from './list.ts';
import { replaceProjectRow } from './replace.ts';

/** Projects on PostgreSQL. */
export function createProjectStore(database: Database): ProjectStore {
  return {
    find: (name) => findProject(database, name),
    list: (viewer, defaultOrganization, page) => listProjectRows(database, viewer, defaultOrganization, page),
    insert: (draft, production) =>
      retrying(() => database.transaction((sql) => insertProject(sql, draft, production))),
    replace: (draft) => retrying(() => database.transaction((sql) => replaceProjectRow(sql, draft))),
    // What is below the project goes with it, by its foreign keys.
    remove: async (uid) =>
      (await database.rows('delete from projects where uid = $1::uuid returning uid', [uid])).length === 1,
  };
}
