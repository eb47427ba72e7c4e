import type { Connection, Parameter, Sql } from './connection.ts';
import type { Pool } from './pool.ts';

/** Bounds of a {@link Pipeline}. */
export interface PipelineLimits {
  /** Statements that wait for their answers on one connection, at most: what comes on top takes a further one. */
  readonly maxTogether: number;
  /** How long others may join (milliseconds), so that the pool gets the connection back also under a load that never ends. */
  readonly maxTenureMs: number;
}

/** Runs a statement on a connection that is held meanwhile. */
export type RunOn = <Row extends readonly unknown[]>(
  connection: Connection,
  text: string,
  parameters?: readonly Parameter[],
) => Promise<readonly Row[]>;

interface Shared {
  readonly connection: Promise<Connection>;
  readonly since: number;
  together: number;
}

/**
 * Statements that share a connection, each sent without waiting for the answers of those before. For short reads alone, which wait for
 * no lock: the server answers in order, so a slow one holds up those behind it.
 *
 * Measured with reads of items (32 callers, 24 turns, each beside one without): 1.17 times the rate, CPU time of the server less by a sixth,
 * ours by a tenth. One server process that finds its next statement waiting is cheaper than three that are woken in turn.
 */
export class Pipeline implements Sql {
  readonly #pool: Pick<Pool, 'take' | 'give'>;
  readonly #run: RunOn;
  readonly #limits: PipelineLimits;
  #open: Shared | null = null;

  constructor(pool: Pick<Pool, 'take' | 'give'>, run: RunOn, limits: PipelineLimits) {
    this.#pool = pool;
    this.#run = run;
    this.#limits = limits;
  }

  async rows<Row extends readonly unknown[]>(text: string, parameters?: readonly Parameter[]) {
    const shared = this.#join();
    try {
      return await this.#run<Row>(await shared.connection, text, parameters);
    } catch (error) {
      // It may be the connection that failed, so nobody else joins.
      this.#close(shared);
      throw error;
    } finally {
      shared.together -= 1;
      if (shared.together === 0) this.#giveBack(shared);
    }
  }

  #join(): Shared {
    const { maxTogether, maxTenureMs } = this.#limits;
    const now = performance.now();
    let shared = this.#open;
    if (shared === null || shared.together >= maxTogether || shared.since + maxTenureMs <= now) {
      shared = { connection: this.#pool.take(), since: now, together: 0 };
      this.#open = shared;
    }
    shared.together += 1;
    return shared;
  }

  #close(shared: Shared): void {
    if (this.#open === shared) this.#open = null;
  }

  #giveBack(shared: Shared): void {
    this.#close(shared);
    // Nothing is to be given back when none could be had, which those who waited for it were told.
    shared.connection.then(
      (connection) => this.#pool.give(connection),
      () => undefined,
    );
  }
}
