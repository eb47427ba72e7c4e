import type { ResourceWriter } from '@platform/resources';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';
import { changeFinalizers } from './operations/resources/change-finalizers.ts';
import { createOne } from './operations/resources/create.ts';
import { replaceRow } from './operations/resources/replace.ts';
import { replaceAddingOwners } from './operations/resources/replace-adding-owners.ts';
import { replaceStatus } from './operations/resources/replace-status.ts';
import { retrying } from './retry.ts';

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

/** The writes of resources on PostgreSQL, each by itself. */
export function createWriter(database: Database): ResourceWriter {
  const direct = writerIn(database);
  return {
    create: (command) => retrying(() => direct.create(command)),
    replace: (command) =>
      retrying(() =>
        command.addedOwners.length === 0
          ? direct.replace(command)
          : database.transaction((sql) => replaceAddingOwners(sql, command)),
      ),
    replaceStatus: (command) => retrying(() => direct.replaceStatus(command)),
    changeFinalizers: (command) => retrying(() => direct.changeFinalizers(command)),
  };
}
