import type { Socket } from 'node:net';
import { StorageUnavailable } from '@platform/kernel';
import postgres from 'postgres';
import { parseTimestamp } from './literals.ts';
import { type Address, connectTimeout, dial, type Server } from './servers.ts';
import { endsConnection } from './sqlstate.ts';
import { encrypt, type TlsSettings } from './tls.ts';

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
   * @throws StorageUnavailable when the database cannot be reached; the driver's error with its SQLSTATE otherwise.
   */
  rows<Row extends readonly unknown[]>(
    text: string,
    parameters?: readonly Parameter[],
  ): Promise<readonly Row[]>;
}

/** How connections are made. */
export interface ConnectionSettings {
  readonly address: Address;
  readonly prepare: boolean;
  readonly connectTimeoutMs: number;
  /** The initial settings of the session, e.g. `statement_timeout`. */
  readonly session: Readonly<Record<string, string | number>>;
  readonly onNotice: (message: string, severity: string) => void;
  /** For a connection that listens: the payload of each notification. */
  readonly onNotify?: (payload: string) => void;
  /** Called once for each connection, when it is lost; also for one to a server that was not taken. */
  readonly onLost?: (connection: Connection) => void;
  /** Whether a server in recovery is accepted, for tools that only read. */
  readonly acceptStandby?: boolean;
}

const asText = (value: string) => value;

// The driver would parse documents and make Dates; both lose digits and are slow.
const types = {
  json: { to: 114, from: [114, 3802], serialize: asText, parse: asText },
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  timestamptz: { to: 1184, from: [1184], serialize: asText, parse: parseTimestamp },
};

/**
 * One connection to one server. It is never used again after it was lost.
 *
 * Each connection has its own driver instance, and a socket that the driver cannot replace: when postgres.js 3.4.9 reconnects, it keeps
 * state of the lost connection. The first statement may receive the last error of the old one, half a message may be sent before the
 * start-up, and a statement of a transaction may run outside of it.
 */
export class Connection implements Sql {
  readonly #driver: postgres.Sql<Record<string, never>>;
  readonly #socket: Socket;
  #lost = false;

  private constructor(settings: ConnectionSettings, { host, port }: Server, socket: Socket) {
    this.#socket = socket;
    let given = false;
    this.#driver = postgres(settings.address.url, {
      host,
      port,
      // The driver would take the name from the URL as it is encoded there.
      ...(settings.address.database === '' ? {} : { database: settings.address.database }),
      max: 1,
      // The socket is encrypted already where the URL asks for it.
      ssl: false,
      types,
      prepare: settings.prepare,
      fetch_types: false,
      connect_timeout: settings.connectTimeoutMs / 1_000,
      // The pool closes idle connections; the driver would also do so between two statements of a transaction.
      idle_timeout: undefined,
      max_lifetime: null,
      keep_alive: 10,
      connection: settings.session,
      onnotice: (notice) => settings.onNotice(String(notice['message']), String(notice['severity'])),
      // The driver's own `listen` uses these options; its types do not have them.
      ...{
        onnotify: (_channel: string, payload: string) => settings.onNotify?.(payload),
        socket: () => {
          if (given || socket.destroyed) throw gone();
          given = true;
          return socket;
        },
      },
      onclose: () => {
        this.#lost = true;
        settings.onLost?.(this);
      },
    }) as unknown as postgres.Sql<Record<string, never>>;
  }

  /**
   * Connects, and asks the server whether it accepts writes, so that no statement is ever sent to a standby.
   * When it rejects, no statement of the caller was sent.
   */
  static async open(settings: ConnectionSettings, server: Server, limitMs: number): Promise<Connection> {
    const expiresAt = performance.now() + limitMs;
    const socket = await dial(server, limitMs);
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(connectTimeout()), expiresAt - performance.now());
    });
    let connection: Connection | undefined;
    try {
      const ready = await Promise.race([overdue, encrypted(socket, server.host, settings.address.tls)]);
      connection = new Connection(settings, server, ready);
      requireServing(settings, await Promise.race([overdue, connection.state()]));
      return connection;
    } catch (error) {
      connection?.abandon();
      socket.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** When it was made, on the clock of `performance.now()`. */
  readonly madeAt = performance.now();

  /** Whether the connection is lost. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Throws the errors of the driver. Statements that are sent without waiting for each other are answered in order. */
  rows<Row extends readonly unknown[]>(
    text: string,
    parameters: readonly Parameter[] = [],
  ): Promise<readonly Row[]> {
    return this.#send(text, parameters, true);
  }

  /** Whether the server accepts writes now. Not prepared, so that a probe leaves nothing in the session. */
  async state(): Promise<ServerState> {
    const [row] = await this.#send<readonly [boolean, boolean]>(stateText, [], false);
    const [inRecovery = false, readOnly = false] = row ?? [];
    return { inRecovery, readOnly };
  }

  /** Runs statements without parameters or results, separated by semicolons, in one message. */
  async script(text: string): Promise<void> {
    if (this.#lost) throw gone();
    await this.#driver.unsafe(text).simple();
  }

  /** Closes the connection at once, whatever it is doing. */
  abandon(): void {
    this.#lost = true;
    void this.#driver.end({ timeout: 0 });
    // The driver would wait for the server to close the connection; a frozen server never does.
    this.#socket.destroy();
  }

  /** Closes the connection when its statements are done, or after a second. */
  async close(): Promise<void> {
    this.#lost = true;
    await this.#driver.end({ timeout: 1 });
    this.#socket.destroy();
  }

  async #send<Row extends readonly unknown[]>(
    text: string,
    parameters: readonly Parameter[],
    prepare: boolean,
  ): Promise<readonly Row[]> {
    if (this.#lost) throw gone();
    const options = { prepare, simple: false } as postgres.UnsafeQueryOptions;
    try {
      const rows = await this.#driver.unsafe(text, parameters as Parameter[], options).values();
      return movedRows(rows as unknown as Row[]);
    } catch (error) {
      if (endsConnection(error)) this.#lost = true;
      throw error;
    }
  }
}

/** @throws StorageUnavailable when there is no TLS as the URL asks for it: a certificate may expire, and be renewed, while the process runs. */
async function encrypted(socket: Socket, host: string, tls: TlsSettings | null): Promise<Socket> {
  if (tls === null) return socket;
  try {
    return await encrypt(socket, host, tls);
  } catch (error) {
    throw new StorageUnavailable('The database cannot be reached.', error);
  }
}

/** The state that a server reports. */
export interface ServerState {
  readonly inRecovery: boolean;
  /** Recovery, or `default_transaction_read_only`. */
  readonly readOnly: boolean;
}

const stateText = `select pg_is_in_recovery(), current_setting('transaction_read_only')::bool`;

/** @throws StorageUnavailable for a server that the URL does not ask for. */
function requireServing({ address, acceptStandby }: ConnectionSettings, state: ServerState): void {
  if (acceptStandby) return;
  const refused = state.inRecovery || (address.wanted === 'read-write' && state.readOnly);
  if (refused) throw new ReadOnlyServer();
}

/** A server answers, but does not accept writes. */
export class ReadOnlyServer extends StorageUnavailable {
  constructor() {
    super('The database server is a standby or read-only.');
  }
}

/**
 * Moves the rows out of a result, so that old garbage does not keep them in memory: V8 allocates the closures that postgres.js 3.4.9 sets on
 * each query in its old generation, where they keep the result until the next full collection (docs/decisions/0023-optimisations.md).
 * `filter` skips the holes that the driver leaves in the result after a statement that failed behind its first rows.
 */
function movedRows<Row>(result: Row[]): readonly Row[] {
  const rows = result.filter(() => true);
  result.length = 0;
  return rows;
}

function gone(): StorageUnavailable {
  return new StorageUnavailable('The connection to the database was lost.');
}
