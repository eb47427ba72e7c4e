import type { Connection, Parameter, Sql } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import { translateError } from './sqlstate.ts';

/** The timeouts and callbacks of a transaction. */
export interface TransactionLimits {
  readonly deadlines: Deadlines;
  /** For each answer, in milliseconds. */
  readonly limitMs: number;
  /** Replaces the statement timeout of the session. */
  readonly statementTimeoutMs: number | null;
  /** Called for each answer. */
  readonly answered: () => void;
  /** Called for each failure, with the error as the driver throws it. */
  readonly failed: (error: unknown) => void;
}

/**
 * Runs `work` in one transaction on a connection: commits when it resolves, rolls back when it rejects. A connection that does
 * not answer is abandoned; the server then rolls back by itself.
 * @throws OutcomeUnknown when the commit was sent and its answer was lost; StorageUnavailable when the connection was lost
 * before; else what `work` throws; the first failure of a statement even when `work` caught it, since nothing was written then.
 */
export async function runTransaction<T>(
  connection: Connection,
  limits: TransactionLimits,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const session = new Session(connection, limits);
  try {
    const value = await work(session);
    await session.commit();
    return value;
  } catch (error) {
    await session.rollback();
    throw error;
  }
}

class Session implements Sql {
  readonly #connection: Connection;
  readonly #limits: TransactionLimits;
  #begun: Promise<unknown> | null = null;
  #ended = false;
  #failure: { readonly error: unknown } | null = null;

  constructor(connection: Connection, limits: TransactionLimits) {
    this.#connection = connection;
    this.#limits = limits;
  }

  async rows<Row extends readonly unknown[]>(text: string, parameters: readonly Parameter[] = []) {
    if (this.#ended) throw new Error('a statement was sent after its transaction had ended');
    this.#begun ??= this.#begin();
    try {
      const statement = this.#connection.rows<Row>(text, parameters);
      const [, rows] = await this.#answerOf(Promise.all([this.#begun, statement]));
      return rows;
    } catch (error) {
      this.#failure ??= { error: this.#translate(error, false) };
      throw this.#failure.error;
    }
  }

  async commit(): Promise<void> {
    if (this.#failure !== null) throw this.#failure.error;
    await this.#end('commit');
  }

  async rollback(): Promise<void> {
    if (!this.#ended) await this.#end('rollback').catch(() => undefined);
  }

  async #end(how: 'commit' | 'rollback'): Promise<void> {
    this.#ended = true;
    if (this.#begun === null) return;
    // If the commit cannot be sent any more, the server rolls back.
    const sent = how === 'commit' && !this.#connection.lost;
    try {
      await this.#answerOf(this.#connection.rows(how));
    } catch (error) {
      this.#connection.abandon();
      throw this.#translate(error, sent);
    }
  }

  /** Sent together with the first statement, which saves a round trip. */
  #begin(): Promise<unknown> {
    // Statements after a lock must see all commits before it was acquired, whatever the database's default is.
    const sent = [this.#connection.rows('begin isolation level read committed')];
    const { statementTimeoutMs } = this.#limits;
    if (statementTimeoutMs !== null) {
      sent.push(this.#connection.rows(`set local statement_timeout = ${statementTimeoutMs}`));
    }
    return Promise.all(sent);
  }

  async #answerOf<T>(answer: Promise<T>): Promise<T> {
    const { deadlines, limitMs, answered } = this.#limits;
    const value = await deadlines.guard(answer, limitMs);
    answered();
    return value;
  }

  #translate(error: unknown, commitSent: boolean): unknown {
    this.#limits.failed(error);
    return translateError(error, commitSent);
  }
}
