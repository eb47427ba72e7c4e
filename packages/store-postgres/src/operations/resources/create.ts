import { Contention } from '@platform/kernel';
import { coalesceWrites, type Sql, type Statements } from '@platform/postgres';
import {
  type CreateCommand,
  type CreateOutcome,
  groupOf,
  nilUid,
  StaleDefinitions,
} from '@platform/resources';
import { type CreateAttempt, createMany } from './create-many.ts';

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

/** The row that conflicts with an insert: one with the same name, or one with the same discriminator; the name counts first. */
async function findConflict(
  sql: Sql,
  command: CreateCommand,
  parentUid: string | null,
): Promise<'nameTaken' | 'discriminatorTaken' | null> {
  const [row] = await sql.rows<readonly [boolean, boolean]>(parentUid === null ? atRoot : belowParent, [
    groupOf(command.apiVersion),
    command.collection.kind,
    command.name,
    command.discriminator,
    ...(parentUid === null ? [] : [parentUid]),
  ]);
  if (row?.[0]) return 'nameTaken';
  return row?.[1] ? 'discriminatorTaken' : null;
}

/** The parent of root rows in the index over discriminators. */
const noParent = `'${nilUid}'::uuid`;

const atRoot = conflictText('parent_uid is null', noParent);
const belowParent = conflictText('parent_uid = $5::uuid', '$5::uuid');

function conflictText(sibling: string, parent: string): string {
  return `
    select
      exists (select from resources where ${sibling} and api_group = $1::text and kind = $2::text and name = $3::text),
      exists (select from resources where discriminator = $4::text and coalesce(parent_uid, ${noParent}) = ${parent})`;
}
