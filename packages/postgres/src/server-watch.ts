import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '@platform/kernel';
import type { Connection } from './connection.ts';
import type { Connector } from './connector.ts';
import { Deadlines } from './deadlines.ts';
import { stateOf, translateError } from './sqlstate.ts';

/** How long a server may take to answer a question that costs it nothing, and to accept a new connection. */
const answerMs = 1_000;
const openMs = 1_500;
const pauseMs = 250;

/**
 * Knows whether a server that accepts writes answers, on a connection that requests never use: neither readiness nor the end of an
 * outage waits behind them. A server counts as silent when it answers neither this connection nor any other for the length of a probe.
 */
export class ServerWatch {
  readonly #connector: Connector;
  readonly #onSilent: () => void;
  readonly #deadlines = new Deadlines(answerMs);
  #connection: Connection | null = null;
  #asking: Promise<void> | null = null;
  #watching = false;
  #closed = false;
  #answeredAt = 0;
  #silent = false;

  constructor(connector: Connector, onSilent: () => void) {
    this.#connector = connector;
    this.#onSilent = onSilent;
  }

  /** Whether statements would wait for nothing. */
  get silent(): boolean {
    return this.#silent;
  }

  /** The server answered somebody. */
  answered(): void {
    this.#answeredAt = performance.now();
  }

  /** Resolves when a server takes writes. @throws StorageUnavailable within 2.5 s when none does. */
  ping(): Promise<void> {
    this.#asking ??= this.#ask()
      .then(() => {
        // Before readiness says so: whoever comes after that must not be refused.
        this.#silent = false;
      })
      .finally(() => {
        this.#asking = null;
      });
    return this.#asking;
  }

  /** An answer is overdue: finds out whether the server is silent, and if so, when it is there again. */
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
        // A refusal with an SQLSTATE, such as too many connections, is an answer too.
        const state = error instanceof StorageUnavailable ? stateOf(error.cause) : stateOf(error);
        const heard = this.#answeredAt > since || /^[0-9A-Z]{5}$/.test(state ?? '');
        if (heard) break;
        if (!this.#silent) {
          this.#silent = true;
          this.#onSilent();
        }
        await sleep(pauseMs, undefined, { ref: false });
      }
    }
    this.#silent = false;
  }

  async #ask(): Promise<void> {
    const known = this.#connection;
    if (known !== null && !known.lost) {
      try {
        const { readOnly } = await this.#deadlines.guard(known.state());
        if (!readOnly) return;
      } catch {
        // Asked again on a new connection, which may lead to another server.
      }
    }
    known?.abandon();
    this.#connection = null;
    try {
      const connection = await this.#connector.open(openMs);
      if (this.#closed) return connection.abandon();
      this.#connection = connection;
      if ((await this.#deadlines.guard(connection.state())).readOnly) {
        throw new StorageUnavailable('The database takes no writes.');
      }
    } catch (error) {
      throw translateError(error);
    }
  }
}
