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

/** How long the statements of a transaction may take. */
export interface TransactionLimits {
  readonly deadlines: Deadlines;
  /** For each answer, in milliseconds. */
  readonly limitMs: number;
  /** Instead of that of the session. */
  readonly statementTimeoutMs: number | null;
  /** Told of each answer. */
  readonly answered: () => void;
  /** Told of each failure, as the driver throws it. */
  readonly failed: (error: unknown) => void;
}

/**
 * Runs `work` in one transaction on a connection: commits when it resolves, rolls back when it rejects. A connection that does
 * not answer is given up; the server then rolls back by itself.
 * @throws Problem `outcome_unknown` when the commit was sent and its answer was lost; Problem `unavailable` when the connection was lost
 * before; else what `work` throws; the first failure of a statement even when `work` made light of it, since nothing was written then.
 */
export async function runTransaction<T>(
  connection: Connection,
  limits: TransactionLimits,
  work: (sql: TransactionSql) => Promise<T>,
): Promise<T> {
  const session = new Session(connection, limits);
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
  readonly #limits: TransactionLimits;
  #begun: Promise<unknown> | null = null;
  #ended = false;
  #committing = false;
  failure: { readonly error: unknown } | null = null;

  constructor(connection: Connection, limits: TransactionLimits) {
    this.#connection = connection;
    this.#limits = limits;
  }

  async rows<Row extends readonly unknown[]>(text: string, parameters: readonly Parameter[] = []) {
    if (this.#ended) throw new Error('a statement was sent after its transaction had ended');
    const begun = this.#begin();
    try {
      const statement = this.#connection.rows<Row>(text, parameters);
      const [, rows] = await this.#guard(Promise.all([begun, statement]));
      return rows;
    } catch (error) {
      this.failure ??= { error: this.#translate(error) };
      throw this.failure.error;
    }
  }

  async finish(statements: readonly Statement[]) {
    const rows = Promise.all(statements.map(({ text, parameters }) => this.rows(text, parameters)));
    const [result] = await Promise.all([rows, this.end('commit')]);
    return result;
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#begun === null) return;
    try {
      const answer = this.#connection.rows(how);
      // It throws when nothing can be sent any more: the server rolls back then.
      this.#committing = how === 'commit' && !this.#connection.lost;
      await this.#guard(answer);
    } catch (error) {
      this.#connection.abandon();
      throw this.#translate(error);
    }
  }

  async #guard<T>(answer: Promise<T>): Promise<T> {
    const { deadlines, limitMs, answered } = this.#limits;
    const value = await deadlines.guard(answer, limitMs);
    answered();
    return value;
  }

  #translate(error: unknown): unknown {
    this.#limits.failed(error);
    return translateError(error, this.#committing);
  }

  /** Sent together with the first statement: a round trip less for each transaction. */
  #begin(): Promise<unknown> {
    if (this.#begun !== null) return this.#begun;
    // Locks are judged by what is committed when they are had, whatever the database has as its default.
    const sent = [this.#connection.rows('begin isolation level read committed')];
    const { statementTimeoutMs } = this.#limits;
    if (statementTimeoutMs !== null) {
      sent.push(this.#connection.rows(`set local statement_timeout = ${statementTimeoutMs}`));
    }
    this.#begun = Promise.all(sent);
    return this.#begun;
  }
}
