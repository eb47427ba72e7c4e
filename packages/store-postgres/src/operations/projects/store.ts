import type { ProjectStore } from '@platform/projects';
import type { Database } from '../../database.ts';
import type { Patience } from '../../patience.ts';
import { findProject } from './find.ts';
import { insertProject } from './insert.ts';
import { listProjectRows } from './list.ts';
import { replaceProjectRow } from './replace.ts';

/** Projects on PostgreSQL. */
export function createProjectStore(database: Database, patiently: Patience): ProjectStore {
  return {
    find: (name) => findProject(database, name),
    list: (viewer, defaultOrganization, page) => listProjectRows(database, viewer, defaultOrganization, page),
    insert: (draft, production) =>
      patiently(() => database.transaction((sql) => insertProject(sql, draft, production))),
    replace: (draft) => patiently(() => database.transaction((sql) => replaceProjectRow(sql, draft))),
    // What is below the project goes with it, by its foreign keys.
    remove: (uid) =>
      patiently(async () => {
        const removed = await database.rows('delete from projects where uid = $1::uuid returning uid', [uid]);
        return removed.length === 1;
      }),
  };
}
