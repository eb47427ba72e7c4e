import { LostRace, type Sql, type Statements } from '@platform/postgres';
import type {
  CreateCommand,
  CreateOutcome,
  ReplaceCommand,
  ReplaceOutcome,
  ResourceWriter,
} from '@platform/resources';
import { changeFinalizers, changeFinalizersBatched } from './operations/resources/change-finalizers.ts';
import { createBatched, createOne } from './operations/resources/create.ts';
import { lockAboveCreated, lockAboveReplaced, mayProtect } from './operations/resources/lock-above.ts';
import { removeLeaf, removeLeafBatched } from './operations/resources/remove-leaf.ts';
import { replaceBatched, replaceRow } from './operations/resources/replace.ts';
import { replaceAddingOwners } from './operations/resources/replace-adding-owners.ts';
import { replaceStatus, replaceStatusBatched } from './operations/resources/replace-status.ts';

type Documents = Pick<CreateCommand, 'metadata' | 'spec'>;

/** The writes of a transaction. It retries nothing: a lost transaction has to be run again as a whole. */
export function writerIn(sql: Sql): ResourceWriter {
  return {
    create: (command) => createIn(sql, command),
    replace: (command) => replaceIn(sql, command),
    replaceStatus: (command) => replaceStatus(sql, command),
    changeFinalizers: (command) => changeFinalizers(sql, command),
    removeLeaf: (command) => removeLeaf(sql, command),
  };
}

async function createIn(sql: Sql, command: CreateCommand): Promise<CreateOutcome> {
  if (!mayProtect(command)) return await createOne(sql, command);
  const locked = await lockAboveCreated(sql, command);
  const outcome = await createOne(sql, command);
  const parentUid = outcome.outcome === 'created' ? outcome.resource.parentUid : null;
  // The parent came after the locks, so what is above it was not locked.
  if (parentUid !== null && !locked.has(parentUid)) throw new LostRace('the parent was created meanwhile');
  return outcome;
}

async function replaceIn(sql: Sql, command: ReplaceCommand): Promise<ReplaceOutcome> {
  if (mayProtect(command)) await lockAboveReplaced(sql, command);
  return command.addedOwners.length === 0
    ? await replaceRow(sql, command)
    : await replaceAddingOwners(sql, command);
}

/** The writes of resources on PostgreSQL; concurrent ones share a statement where they can. */
export function createWriter(database: Statements): ResourceWriter {
  const create = createBatched(database);
  const replace = replaceBatched(database);
  // These lock other rows before they write theirs.
  const inTransaction = <T>({ metadata, spec }: Documents, work: (sql: Sql) => Promise<T>) =>
    database.withLockRetry((inner) => inner.transaction(work, { bytes: metadata.length + spec.length }));
  return {
    create: (command) =>
      mayProtect(command) ? inTransaction(command, (sql) => createIn(sql, command)) : create(command),
    replace: (command) =>
      command.addedOwners.length > 0 || mayProtect(command)
        ? inTransaction(command, (sql) => replaceIn(sql, command))
        : replace(command),
    replaceStatus: replaceStatusBatched(database),
    changeFinalizers: changeFinalizersBatched(database),
    removeLeaf: removeLeafBatched(database),
  };
}
