import { Problem } from '@platform/kernel';
import type { Connection, Parameter, Sql, Statement } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import { translateError } from './sqlstate.ts';

/** One transaction as those who work in it see it. */
export interface TransactionSql extends Sql {
  /**
   * Sends the last statements of the transaction, which need not know of each other's results, together with the commit: a round trip
   * less. When one fails nothing of the transaction is written, as ever: the server makes a rollback of that commit.
   * @returns the rows of each.
   */
  finish(statements: readonly Statement[]): Promise<readonly (readonly (readonly unknown[])[])[]>;
}

/**
 * Runs `work` in one transaction on a connection: commits when it resolves, rolls back when it rejects. A connection that does
 * not answer is given up; the server then rolls back by itself.
 * @throws what `work` throws; the first failure of a statement even when `work` made light of it, since nothing was written then.
 */
export async function runTransaction<T>(
  connection: Connection,
  deadlines: Deadlines,
  work: (sql: TransactionSql) => Promise<T>,
): Promise<T> {
  const session = new Session(connection, deadlines);
  try {
    const value = await work(session);
    if (session.failure !== null) throw session.failure.error;
    await session.end('commit');
    return value;
  } catch (error) {
    await session.end('rollback').catch(() => undefined);
    throw error;
  }
}

class Session implements TransactionSql {
  readonly #connection: Connection;
  readonly #deadlines: Deadlines;
  #begun: Promise<unknown> | null = null;
  #ended = false;
  failure: { readonly error: unknown } | null = null;

  constructor(connection: Connection, deadlines: Deadlines) {
    this.#connection = connection;
    this.#deadlines = deadlines;
  }

  async rows<Row extends readonly unknown[]>(text: string, parameters: readonly Parameter[] = []) {
    if (this.#ended) throw new Error('a statement was sent after its transaction had ended');
    const begun = this.#begin();
    try {
      // On a new connection the first statement waits for the begin, lest it run without it on a second attempt to connect.
      if (this.#connection.fresh) await begun;
      const statement = this.#connection.rows<Row>(text, parameters);
      const [, rows] = await this.#deadlines.guard(Promise.all([begun, statement]));
      return rows;
    } catch (error) {
      if (error instanceof Problem) this.#connection.abandon();
      this.failure ??= { error: translateError(error) };
      throw this.failure.error;
    }
  }

  async finish(statements: readonly Statement[]) {
    // A new connection sends what waits for its first answer later than the commit.
    const together = !this.#connection.fresh;
    const rows = Promise.all(statements.map(({ text, parameters }) => this.rows(text, parameters)));
    if (!together) await rows;
    const [result] = await Promise.all([rows, this.end('commit')]);
    return result;
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#begun === null || this.#connection.lost) return;
    try {
      await this.#deadlines.guard(this.#connection.rows(how));
    } catch (error) {
      this.#connection.abandon();
      throw translateError(error);
    }
  }

  /** Sent together with the first statement: a round trip less for each transaction. */
  #begin(): Promise<unknown> {
    // Locks are judged by what is committed when they are had, whatever the database has as its default.
    this.#begun ??= this.#connection.rows('begin isolation level read committed');
    return this.#begun;
  }
}
