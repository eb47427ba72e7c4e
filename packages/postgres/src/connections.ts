import { explainError, StorageUnavailable } from '@platform/kernel';
import type { Connection, Parameter, Sql } from './connection.ts';
import { Connector } from './connector.ts';
import { connectionSettings, type DatabaseOptions, isPooled, timeoutsOf } from './database-options.ts';
import { Deadlines, deadlineCode } from './deadlines.ts';
import { PlanFreshness, tableSizesText } from './plan-freshness.ts';
import { Pool } from './pool.ts';
import { ServerWatch } from './server-watch.ts';
import { sqlState, stateOf, translateError } from './sqlstate.ts';
import { runTransaction } from './transaction.ts';

/** The statement timeout of long transactions, whatever `writeTimeoutMs` is. */
const longStatementMs = 30_000;

/** Milliseconds between two lines that say that the server accepts fewer connections than the pool may have. */
const fullLogMs = 600_000;

/**
 * The connections of a process, each for one unit of work at a time. Every answer has a deadline, errors of the driver are translated, and
 * connections that cannot be used again are dropped.
 */
export class Connections {
  readonly #readTimeoutMs: number;
  readonly #writeTimeoutMs: number;
  readonly #deadlines: Deadlines;
  readonly #watch: ServerWatch;
  readonly #pool: Pool;
  /** The pool, with plans that fit the sizes of the tables. */
  readonly #planned: Pick<Pool, 'acquire' | 'release'>;
  #logFullAt = 0;

  /** `onSilent` is called when the server does not answer, before the units of work are told. */
  constructor(options: DatabaseOptions, onSilent: () => void) {
    const { readTimeoutMs, writeTimeoutMs } = timeoutsOf(options);
    this.#readTimeoutMs = readTimeoutMs;
    this.#writeTimeoutMs = writeTimeoutMs;
    const connector = new Connector(connectionSettings(options));
    this.#deadlines = new Deadlines(writeTimeoutMs, {
      afterMs: options.suspectAfterMs ?? 2_000,
      onSlow: () => this.#watch.suspect(),
    });
    this.#watch = new ServerWatch(connector, {
      silent: () => {
        options.logger?.warn('the database does not answer');
        this.#pool.dropIdle();
        onSilent();
        this.#deadlines.expireAll();
      },
      again: (seconds) =>
        options.logger?.info('the database answers again', { seconds: Math.round(seconds) }),
    });
    this.#pool = new Pool(
      connector,
      {
        idleMs: options.idleTimeoutMs ?? 300_000,
        lifetimeMs: 3_600_000,
        probeAfterMs: options.probeAfterMs ?? 5_000,
      },
      {
        isSilent: () => this.#watch.silent,
        guard: (opening) => this.#deadlines.guard(opening),
        full: (open, error) => this.#logFull(options, open, error),
      },
    );
    // Behind a pooler statements are not prepared.
    this.#planned = isPooled(options)
      ? this.#pool
      : new PlanFreshness(this.#pool, (connection) => this.#sizesOn(connection), options.planCheckMs ?? 250);
  }

  /** Runs one unit of work on a connection of its own. */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#planned.acquire();
    try {
      return await work(connection);
    } finally {
      this.#planned.release(connection);
    }
  }

  /** `work` as a function that runs on a connection of its own, each statement in a transaction of its own. */
  using<Input, Output>(work: (sql: Sql, input: Input) => Promise<Output>): (input: Input) => Promise<Output> {
    return (input) =>
      this.use((connection) =>
        work({ rows: (text, parameters) => this.rows(connection, text, parameters) }, input),
      );
  }

  /** Runs one statement. Whether it only reads decides its deadline, and what a lost answer means. */
  async rows<Row extends readonly unknown[]>(
    connection: Connection,
    text: string,
    parameters?: readonly Parameter[],
  ): Promise<readonly Row[]> {
    const reading = isReadOnly(text);
    try {
      const limitMs = reading ? this.#readTimeoutMs : this.#writeTimeoutMs;
      const rows = await this.#deadlines.guard(connection.rows<Row>(text, parameters), limitMs);
      this.#watch.answered();
      return rows;
    } catch (error) {
      this.#failed(connection, error);
      // A read needs no lock of its own: someone has locked the whole table.
      if (reading && stateOf(error) === sqlState.lockNotAvailable)
        throw new StorageUnavailable('The database took too long.', error);
      throw translateError(error, !reading);
    }
  }

  /** Runs `work` in one transaction; a long one may take {@link longStatementMs} for each statement. */
  transaction<T>(connection: Connection, work: (sql: Sql) => Promise<T>, long: boolean): Promise<T> {
    const writeTimeoutMs = this.#writeTimeoutMs;
    const limits = {
      deadlines: this.#deadlines,
      limitMs: long ? Math.max(writeTimeoutMs, longStatementMs + 1_000) : writeTimeoutMs,
      statementTimeoutMs: long && writeTimeoutMs <= longStatementMs ? longStatementMs : null,
      answered: () => this.#watch.answered(),
      failed: (error: unknown) => this.#failed(connection, error),
    };
    return runTransaction(connection, limits, work);
  }

  /** Resolves when a server accepts writes. @throws StorageUnavailable when none does. */
  async ping(): Promise<void> {
    try {
      await this.#watch.ping();
    } catch (error) {
      // The server answers, and has no connection for the probe. Requests go on with those that are open.
      const isFull =
        error instanceof StorageUnavailable && stateOf(error.cause) === sqlState.tooManyConnections;
      if (!isFull || this.#pool.size === 0) throw error;
    }
  }

  async close(): Promise<void> {
    await this.#pool.close();
    this.#watch.close();
    this.#deadlines.close();
  }

  #logFull({ logger, poolMax }: DatabaseOptions, open: number, error: unknown): void {
    const now = performance.now();
    if (now < this.#logFullAt) return;
    this.#logFullAt = now + fullLogMs;
    const fields = { open, poolMax, reason: explainError(error as Error) };
    logger?.warn('the database accepts no more connections; requests wait for those that are open', fields);
  }

  async #sizesOn(connection: Connection): Promise<string> {
    const [row] = await this.rows<readonly [string]>(connection, tableSizesText);
    return row?.[0] ?? '';
  }

  #failed(connection: Connection, error: unknown): void {
    const state = stateOf(error);
    if (state === deadlineCode) connection.abandon();
    // The idle connections may lead to the same server.
    if (state === deadlineCode || state === sqlState.readOnlyTransaction) this.#pool.dropIdle();
  }
}

/** Words of statements that write or lock, and of functions that do. */
const writing =
  /\b(?:insert|update|delete|merge|truncate|call|do|lock|notify|pg_notify|nextval|setval|create|alter|drop|pg_\w*advisory\w*)\b/i;

// One entry for each text of this build; those of lists differ by the number of their parameters.
const maxKnown = 2_000;
const known = new Map<string, boolean>();

/** Whether a statement only reads, so that it may be repeated. False in doubt: a word in a literal counts too. */
export function isReadOnly(text: string): boolean {
  let answer = known.get(text);
  if (answer === undefined) {
    answer = /^\s*(?:select|with|show|values)\b/i.test(text) && !writing.test(text);
    if (known.size < maxKnown) known.set(text, answer);
  }
  return answer;
}
