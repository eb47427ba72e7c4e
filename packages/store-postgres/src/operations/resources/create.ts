import { Contention } from '@platform/kernel';
import { coalesceWrites, type Sql, type Statements } from '@platform/postgres';
import { type CreateCommand, type CreateOutcome, StaleDefinitions } from '@platform/resources';
import { type CreateAttempt, createMany } from './create-many.ts';
import { findConflict } from './find-conflict.ts';

/** Attempts while the row that an insert conflicts with disappears before it is read. */
const maxAttempts = 5;

/** Inserts one row, waiting for the locks it needs. */
export async function createOne(sql: Sql, command: CreateCommand): Promise<CreateOutcome> {
  for (let count = 0; count < maxAttempts; count += 1) {
    const [attempt] = await createMany(sql, [command], 'wait');
    const outcome = attempt === undefined ? null : await settle(sql, command, attempt);
    if (outcome !== null) return outcome;
  }
  throw new Contention('Resources with this name keep coming and going; try again.');
}

/** Turns an attempt into an outcome, finding the cause of a conflict; null when nothing is in the way any more. */
async function settle(
  sql: Sql,
  command: CreateCommand,
  attempt: CreateAttempt,
): Promise<CreateOutcome | null> {
  switch (attempt.outcome) {
    case 'stale':
      throw new StaleDefinitions();
    case 'busy':
      return null;
    case 'conflict': {
      const outcome = await findConflict(sql, command, attempt.parentUid);
      return outcome === null ? null : { outcome };
    }
    default:
      return attempt;
  }
}

/** Creates; concurrent ones share a statement. */
export function createBatched(statements: Statements): (command: CreateCommand) => Promise<CreateOutcome> {
  // Separate, so that a conflict of one create does not delay the others or use their connection.
  const settleOrRunAlone = async (command: CreateCommand, attempt: CreateAttempt) =>
    (await settle(statements, command, attempt)) ??
    (await statements.withLockRetry((sql) => createOne(sql, command)));
  return coalesceWrites<CreateCommand, CreateOutcome>(statements, {
    keyOf: ({ collection }) => `${collection.ancestors.length} ${collection.access !== undefined}`,
    bytesOf: ({ metadata, spec }) => metadata.length + spec.length,
    run: async (sql, commands) =>
      (await createMany(sql, commands, 'skip')).map((attempt, index) =>
        settleOrRunAlone(commands[index] as CreateCommand, attempt),
      ),
    runAlone: createOne,
  });
}
