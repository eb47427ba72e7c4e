import { Problem } from '@platform/kernel';
import postgres from 'postgres';
import { parseTimestamp } from './literals.ts';

/** A parameter in the form that the statement's cast expects; arrays go as {@link arrayLiteral} text. */
export type Parameter = string | number | boolean | Uint8Array | null;

/** A statement that is sent together with others. */
export interface Statement {
  readonly text: string;
  readonly parameters?: readonly Parameter[];
}

/**
 * Runs SQL, on any connection of the pool or inside one transaction.
 * Documents (`json`, `jsonb`) come as raw text, `bigint` as number, `timestamptz` as RFC 3339 text in UTC with milliseconds.
 */
export interface Sql {
  /**
   * Runs one statement, prepared once a connection, and returns its rows as arrays in the order of its columns.
   * @throws Problem `unavailable` when the database cannot be reached; the driver's error with its SQLSTATE otherwise.
   */
  rows<Row extends readonly unknown[]>(
    text: string,
    parameters?: readonly Parameter[],
  ): Promise<readonly Row[]>;
}

/** How a connection is made. */
export interface ConnectionSettings {
  readonly url: string;
  readonly prepare: boolean;
  readonly connectTimeoutMs: number;
  /** What the session starts with, e.g. `statement_timeout`. */
  readonly session: Readonly<Record<string, string | number>>;
  readonly onNotice: (message: string) => void;
  /** For a connection that listens: the payload of each notification. */
  readonly onNotify?: (payload: string) => void;
  /** Once, when it is gone for good. */
  readonly onLost?: () => void;
}

const asText = (value: string) => value;

// The driver would parse documents and make Dates; both lose what was stored (performance guide: and cost half the speed).
const types = {
  json: { to: 114, from: [114, 3802], serialize: asText, parse: asText },
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  timestamptz: { to: 1184, from: [1184], serialize: asText, parse: parseTimestamp },
};

/**
 * One connection to the server, made with its first statement and never used again once it was lost.
 *
 * That is why each has a driver of its own rather than one pool of the driver: a connection that postgres.js 3.4.9 makes anew
 * starts with what the lost one left behind. The first statement may be answered with the old one's last error, half a
 * message may go out in front of the start-up (it then hangs for ever), and a statement of a transaction may run outside it.
 */
export class Connection implements Sql {
  readonly #driver: postgres.Sql<Record<string, never>>;
  #lost = false;
  #fresh = true;

  constructor(settings: ConnectionSettings) {
    this.#driver = postgres(settings.url, {
      max: 1,
      types,
      prepare: settings.prepare,
      fetch_types: false,
      connect_timeout: settings.connectTimeoutMs / 1_000,
      // Kept by the pool: the driver would close a connection between two statements of a transaction.
      idle_timeout: undefined,
      max_lifetime: null,
      keep_alive: 10,
      connection: settings.session,
      onnotice: (notice) => settings.onNotice(String(notice['message'])),
      // Known to the driver, which its own `listen` is made of, though not to its types.
      ...{ onnotify: (_channel: string, payload: string) => settings.onNotify?.(payload) },
      onclose: () => {
        this.#lost = true;
        settings.onLost?.();
      },
    }) as unknown as postgres.Sql<Record<string, never>>;
  }

  /** When it was made, on the clock of `performance.now()`. */
  readonly madeAt = performance.now();

  /** Whether it is gone for good. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Whether nothing was answered on it so far. */
  get fresh(): boolean {
    return this.#fresh;
  }

  /** Untranslated: throws what the driver throws. Statements that are sent without waiting for each other are answered in order. */
  async rows<Row extends readonly unknown[]>(
    text: string,
    parameters: readonly Parameter[] = [],
  ): Promise<readonly Row[]> {
    if (this.#lost) throw gone();
    const options = { prepare: true, simple: false } as postgres.UnsafeQueryOptions;
    try {
      const rows = await this.#driver.unsafe(text, parameters as Parameter[], options).values();
      this.#fresh = false;
      return takenFrom(rows as unknown as Row[]);
    } catch (error) {
      if (!(error instanceof postgres.PostgresError)) this.#lost = true;
      throw error;
    }
  }

  /** Runs statements without parameters or results, separated by semicolons, in one message. */
  async script(text: string): Promise<void> {
    if (this.#lost) throw gone();
    await this.#driver.unsafe(text).simple();
  }

  /** Gives it up without waiting for what it does. */
  abandon(): void {
    this.#lost = true;
    void this.#driver.end({ timeout: 0 });
  }

  /** Closes it once it has done what it does. */
  async close(): Promise<void> {
    this.#lost = true;
    await this.#driver.end();
  }
}

/**
 * The rows of a result, which is left empty.
 *
 * The driver (postgres.js 3.4.9) sets closures as members of each query, and V8 puts closures that are set so into its old generation at
 * once, where even dead ones keep the query and its result until the next full collection. Under reads of items 0.9 MB of each 26 MB allocated
 * were moved there, and are 0.15.
 *
 * After a statement that failed behind its first rows, the driver also puts those of the next one that ends well behind as many holes, which
 * `filter` leaves out.
 */
function takenFrom<Row>(result: Row[]): readonly Row[] {
  const rows = result.filter(() => true);
  result.length = 0;
  return rows;
}

function gone(): Problem {
  return new Problem('unavailable', 'The connection to the database was lost.', { retryAfterSeconds: 1 });
}
