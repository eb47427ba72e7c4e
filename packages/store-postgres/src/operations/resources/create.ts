import type { CreateCommand, CreateOutcome } from '@platform/resources';
import { coalesceWrites } from '../../coalesced-writes.ts';
import type { Sql } from '../../connection.ts';
import type { Patience } from '../../patience.ts';
import { type CreateAttempt, createMany } from './create-many.ts';
import { findConflict } from './find-conflict.ts';

/** How often a row may get out of the way between the insert that met it and the look at it. */
const maxAttempts = 5;

/** Inserts one row, waiting for the locks it needs. */
export async function createOne(sql: Sql, command: CreateCommand): Promise<CreateOutcome> {
  const [attempt] = await createMany(sql, [command], 'wait');
  return settle(sql, command, attempt);
}

/** Turns an attempt into an outcome: says what a conflict was about, and tries again while there is no saying. */
async function settle(
  sql: Sql,
  command: CreateCommand,
  first: CreateAttempt | undefined,
): Promise<CreateOutcome> {
  let attempt = first;
  for (let count = 0; count < maxAttempts && attempt !== undefined; count += 1) {
    if (attempt.outcome === 'conflict') {
      const outcome = await findConflict(sql, command, attempt.parentUid);
      if (outcome !== null) return { outcome };
    } else if (attempt.outcome !== 'busy') {
      return attempt;
    }
    [attempt] = await createMany(sql, [command], 'wait');
  }
  throw new Error(`the insert of ${command.collection.kind} ${command.name} meets a row that is not found`);
}

/** Creates, those of the same moment in one statement. */
export function createCoalesced(
  sql: Sql,
  patiently: Patience,
): (command: CreateCommand) => Promise<CreateOutcome> {
  return coalesceWrites({
    keyOf: (command) => command.collection.ancestors.length,
    weigh: ({ metadata, spec }) => metadata.length + spec.length,
    async together(commands) {
      const attempts = await createMany(sql, commands, 'skip');
      return attempts.map((attempt, index) => {
        if (attempt.outcome === 'busy') return null;
        if (attempt.outcome !== 'conflict') return attempt;
        return settle(sql, commands[index] as CreateCommand, attempt);
      });
    },
    alone: (command) => patiently(() => createOne(sql, command)),
  });
}
