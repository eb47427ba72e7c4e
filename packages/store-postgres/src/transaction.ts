import { Problem } from '@platform/kernel';
import type postgres from 'postgres';
import type { Parameter, Sql } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import { isUnavailable, translateError } from './sqlstate.ts';

/**
 * Runs `work` in one transaction of the driver and calls `done` once its connection is free again.
 *
 * The driver crashes the process when a statement is sent down a connection that was lost inside a transaction, its own rollback
 * included (postgres.js 3.4.9, `socket.write` of null). So after a loss nothing is sent any more: the statements of `work` are refused
 * here, and the driver is left waiting for a callback that never ends, which it forgets together with the connection.
 */
export function runTransaction<T>(
  driver: postgres.Sql<Record<string, never>>,
  deadlines: Deadlines,
  work: (sql: Sql) => Promise<T>,
  done: () => void,
): Promise<T> {
  let lost: unknown = null;
  return new Promise<T>((resolve, reject) => {
    let value: T;
    const ended = driver.begin(async (connection) => {
      try {
        value = await work(sessionOn(connection, deadlines, () => lost));
      } catch (error) {
        const loss = lost !== null || isConnectionLoss(error);
        // Nobody waits for the rollback on a connection that is gone or does not answer.
        if (loss || isUnanswered(error)) reject(translateError(error));
        if (!loss) throw error;
        await new Promise(() => {});
      }
    });
    ended
      .then(
        () => resolve(value),
        (error) => {
          lost = error;
          reject(translateError(error));
        },
      )
      .finally(done);
  });
}

function sessionOn(connection: postgres.TransactionSql, deadlines: Deadlines, lost: () => unknown): Sql {
  return {
    async rows<Row extends readonly unknown[]>(text: string, parameters: readonly Parameter[] = []) {
      const loss = lost();
      if (loss !== null) throw translateError(loss);
      const statement = connection.unsafe(text, parameters as Parameter[], { prepare: true }).values();
      // Kept as the driver gave it: the caller decides whether to retry by its SQLSTATE.
      return (await deadlines.guard(statement)) as unknown as readonly Row[];
    },
  };
}

/** Whether the connection itself is gone, rather than the server refusing a statement with an SQLSTATE. */
function isConnectionLoss(error: unknown): boolean {
  return isUnavailable(error) && !(error instanceof Error && error.name === 'PostgresError');
}

function isUnanswered(error: unknown): boolean {
  return error instanceof Problem && error.code === 'unavailable';
}
