import { AdmissionQueue } from './admission-queue.ts';
import { Batcher } from './batcher.ts';
import type { Sql } from './connection.ts';
import type { Statements } from './database.ts';

// One transaction has few statements at a time, and its caller has waited already.
const unlimited = Number.POSITIVE_INFINITY;

/** Sends everything to `sql`, which is one transaction: what would be a transaction of its own becomes a part of it, and nothing is retried. */
export function statementsIn(sql: Sql): Statements {
  const statements: Statements = {
    rows: (text, parameters) => sql.rows(text, parameters),
    transaction: (work) => work(sql),
    withLockRetry: (work) => work(statements),
    batcher({ run, bytesOf, ...limits }) {
      const queue = new AdmissionQueue({
        maxRunning: limits.maxRunning,
        maxWaiting: unlimited,
        maxWaitingBytes: unlimited,
        maxWaitMs: 30_000,
      });
      return new Batcher(
        queue,
        limits,
        (items: readonly Parameters<typeof bytesOf>[0][]) => run(sql, items),
        bytesOf,
      );
    },
  };
  return statements;
}
