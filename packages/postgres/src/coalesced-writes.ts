import type { Batcher } from './batcher.ts';
import type { Sql } from './connection.ts';
import type { Statements } from './database.ts';
import { isRefusedByServer } from './sqlstate.ts';

/** How concurrent writes share statements. */
export interface CoalescedWrites<Command, Outcome> {
  /** Commands with the same key fit into one statement. */
  readonly keyOf: (command: Command) => string | number;
  /** The approximate size of its documents. */
  readonly bytesOf: (command: Command) => number;
  /**
   * Writes all that it can without waiting for locks, in one statement; null for a command that has to run alone.
   * A promise among the outcomes delays its own command only.
   */
  readonly run: (
    sql: Sql,
    commands: readonly Command[],
  ) => Promise<readonly (Outcome | Promise<Outcome> | null)[]>;
  /** Writes one, waiting for the locks it needs. */
  readonly runAlone: (sql: Sql, command: Command) => Promise<Outcome>;
}

/** The limits of the batches of one key. Two run at a time: one is executed while the next one is sent. */
const limits = { maxCount: 64, maxBytes: 1_048_576, maxRunning: 2 };

/**
 * Makes concurrent writes share a statement, and thus a transaction and a flush of the WAL. A write that meets a lock leaves the batch and
 * runs alone; when the statement fails, each write runs again alone, so that an invalid one fails alone (docs/decisions/0013).
 */
export function coalesceWrites<Command, Outcome>(
  statements: Statements,
  { keyOf, bytesOf, run, runAlone }: CoalescedWrites<Command, Outcome>,
): (command: Command) => Promise<Outcome> {
  const batchers = new Map<string | number, Pick<Batcher<Command, Outcome>, 'add'>>();
  const alone = (command: Command) => statements.withLockRetry((sql) => runAlone(sql, command));

  const runBatch = async (sql: Sql, commands: readonly Command[]) => {
    try {
      const outcomes = await run(sql, commands);
      return commands.map((command, index) => outcomes[index] ?? alone(command));
    } catch (error) {
      // Only a refusal of the server proves that nothing was written. After any other error, also one in reading the answer, a second run
      // could meet the rows of the first one.
      if (!isRefusedByServer(error)) throw error;
      return commands.map(alone);
    }
  };

  return (command) => {
    const key = keyOf(command);
    let batcher = batchers.get(key);
    if (batcher === undefined) {
      batcher = statements.batcher({ ...limits, run: runBatch, bytesOf });
      batchers.set(key, batcher);
    }
    return batcher.add(command);
  };
}
