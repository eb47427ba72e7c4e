import type { Database, Patience, Sql } from '@platform/postgres';
import type { ResourceWriter } from '@platform/resources';
import { changeFinalizers, changeFinalizersBatched } from './operations/resources/change-finalizers.ts';
import { createBatched, createOne } from './operations/resources/create.ts';
import { replaceBatched, replaceRow } from './operations/resources/replace.ts';
import { replaceAddingOwners } from './operations/resources/replace-adding-owners.ts';
import { replaceStatus, replaceStatusBatched } from './operations/resources/replace-status.ts';

/** The writes of a transaction. Nothing is retried here: a lost transaction has to be run again as a whole. */
export function writerIn(sql: Sql): ResourceWriter {
  return {
    create: (command) => createOne(sql, command),
    replace: (command) =>
      command.addedOwners.length === 0 ? replaceRow(sql, command) : replaceAddingOwners(sql, command),
    replaceStatus: (command) => replaceStatus(sql, command),
    changeFinalizers: (command) => changeFinalizers(sql, command),
  };
}

/** The writes of resources on PostgreSQL, each by itself; those of the same moment share a statement where they can. */
export function createWriter(database: Database, patiently: Patience): ResourceWriter {
  const replace = replaceBatched(database, patiently);
  return {
    create: createBatched(database, patiently),
    replace: (command) =>
      command.addedOwners.length === 0
        ? replace(command)
        : patiently(() => database.transaction((sql) => replaceAddingOwners(sql, command))),
    replaceStatus: replaceStatusBatched(database, patiently),
    changeFinalizers: changeFinalizersBatched(database, patiently),
  };
}
