import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '@platform/kernel';
import type { Connection } from './connection.ts';
import type { Connector } from './connector.ts';
import { Deadlines } from './deadlines.ts';
import { shuttingDown, stateOf, translateError } from './sqlstate.ts';

/** How long a server may take to answer a probe, and to accept a new connection. */
const answerMs = 1_000;
const openMs = 1_500;
const pauseMs = 250;

/** The events of a watched server. */
export interface ServerWatchEvents {
  /** It does not answer. */
  readonly silent: () => void;
  /** It answers again, after so many seconds. */
  readonly again: (seconds: number) => void;
}

/**
 * Checks whether a server that accepts writes answers. It uses a connection of its own, so that readiness does not wait behind requests.
 * A server counts as silent when it answers neither this connection nor any other one for the length of a probe.
 */
export class ServerWatch {
  readonly #connector: Connector;
  readonly #events: ServerWatchEvents;
  readonly #deadlines = new Deadlines(answerMs);
  #connection: Connection | null = null;
  #asking: Promise<void> | null = null;
  #watching = false;
  #closed = false;
  #answeredAt = 0;
  #silent = false;
  #silentSince = 0;

  constructor(connector: Connector, events: ServerWatchEvents) {
    this.#connector = connector;
    this.#events = events;
  }

  /** Whether the server does not answer. */
  get silent(): boolean {
    return this.#silent;
  }

  /** Notes that the server answered on any connection. */
  answered(): void {
    this.#answeredAt = performance.now();
  }

  /** Resolves when a server accepts writes. @throws StorageUnavailable within 2.5 s when none does. */
  ping(): Promise<void> {
    this.#asking ??= this.#ask()
      .then(() => {
        // Before the caller continues: requests that arrive after readiness must not be refused.
        this.#end();
      })
      .finally(() => {
        this.#asking = null;
      });
    return this.#asking;
  }

  /** An answer is overdue: probes until the server answers. */
  suspect(): void {
    if (this.#watching || this.#closed) return;
    this.#watching = true;
    void this.#watch().finally(() => {
      this.#watching = false;
    });
  }

  close(): void {
    this.#closed = true;
    this.#connection?.abandon();
    this.#deadlines.close();
  }

  async #watch(): Promise<void> {
    while (!this.#closed) {
      const since = performance.now();
      try {
        await this.ping();
        break;
      } catch (error) {
        if (this.#closed) break;
        // A refusal with an SQLSTATE, such as too many connections, is an answer too.
        const state = error instanceof StorageUnavailable ? stateOf(error.cause) : stateOf(error);
        const heard = this.#answeredAt > since || /^[0-9A-Z]{5}$/.test(state ?? '');
        if (heard) break;
        if (!this.#silent) {
          this.#silent = true;
          this.#silentSince = since;
          this.#events.silent();
        }
        await sleep(pauseMs, undefined, { ref: false });
      }
    }
    this.#end();
  }

  #end(): void {
    if (!this.#silent) return;
    this.#silent = false;
    if (!this.#closed) this.#events.again((performance.now() - this.#silentSince) / 1_000);
  }

  async #ask(): Promise<void> {
    const known = this.#connection;
    if (known !== null && !known.lost) {
      try {
        const { readOnly } = await this.#deadlines.guard(known.state());
        if (!readOnly) return;
      } catch {
        // Probe again on a new connection, which may lead to another server.
      }
    }
    known?.abandon();
    this.#connection = null;
    if (this.#closed) throw shuttingDown();
    try {
      const connection = await this.#connector.open(openMs);
      if (this.#closed) {
        connection.abandon();
        throw shuttingDown();
      }
      this.#connection = connection;
      if ((await this.#deadlines.guard(connection.state())).readOnly) {
        throw new StorageUnavailable('The database takes no writes.');
      }
    } catch (error) {
      throw translateError(error);
    }
  }
}
