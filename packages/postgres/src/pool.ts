import { StorageUnavailable } from '@platform/kernel';
import type { Connection } from './connection.ts';
import type { Connector } from './connector.ts';
import { Deadlines, deadlineCode } from './deadlines.ts';
import { shuttingDown, sqlState, stateOf, translateError } from './sqlstate.ts';

/** Bounds of a {@link Pool}, times in milliseconds. */
export interface PoolLimits {
  /** How long a connection may be idle before it is closed. */
  readonly idleMs: number;
  /** The maximum age of a connection: the memory of its server process grows. */
  readonly lifetimeMs: number;
  /** How long a connection may be idle before it is probed. */
  readonly probeAfterMs: number;
}

/** The state of the server, for a pool. */
export interface ServerHealth {
  /** Whether the server does not answer. No connection is handed out then, since each would wait for its deadline. */
  isSilent(): boolean;
  /** The server refuses a further connection, while so many are open. */
  full(open: number, error: unknown): void;
  /** Rejects when the promise takes too long, or the server stops answering. */
  guard<T>(promise: Promise<T>): Promise<T>;
}

/** How long a probe may take. */
const probeMs = 1_000;
/** How long no further connection is tried after the server has refused one: each try starts a process there. */
const fullMs = 1_000;

/**
 * The connections of a process, made when they are needed, each used by one unit of work at a time. The most recently used one
 * is handed out first, so that the others become idle and are closed when there is little work.
 */
export class Pool {
  readonly #connector: Connector;
  readonly #health: ServerHealth;
  readonly #limits: PoolLimits;
  readonly #probes = new Deadlines(probeMs);
  readonly #used = new Set<Connection>();
  readonly #idle: { readonly connection: Connection; readonly since: number }[] = [];
  /** Units of work that wait for the connection of another one, in order: the server accepts no more of them. */
  readonly #waiting: ((connection: Connection | null | Promise<never>) => void)[] = [];
  #opening = 0;
  #fullUntil = 0;
  #idleTimer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(connector: Connector, limits: PoolLimits, health: ServerHealth) {
    this.#connector = connector;
    this.#health = health;
    this.#limits = limits;
  }

  /** The connections that are open. */
  get size(): number {
    return this.#used.size + this.#idle.length;
  }

  /**
   * Hands out a connection, which must be released. The admission queue limits how many there are. When the server accepts fewer, it waits
   * for one of those.
   * @throws StorageUnavailable when no server that accepts writes can be reached, or the pool is closed: nothing was sent then.
   */
  async acquire(): Promise<Connection> {
    try {
      const connection = await this.#next();
      if (!this.#closed) return connection;
      connection.abandon();
      throw shuttingDown();
    } catch (error) {
      throw translateError(error);
    }
  }

  /** Takes a connection back. A lost one is closed. */
  release(connection: Connection): void {
    const now = performance.now();
    const next = this.#waiting.shift();
    const isUsable = !connection.lost && connection.madeAt + this.#limits.lifetimeMs >= now;
    if (isUsable && next !== undefined) {
      next(connection);
      return;
    }
    this.#used.delete(connection);
    if (connection.lost) connection.abandon();
    else if (isUsable) this.#idle.push({ connection, since: now });
    else void connection.close();
    next?.(null);
    this.#idleTimer ??= setInterval(() => this.#closeIdle(), Math.max(1, this.#limits.idleMs / 2)).unref();
  }

  /** Closes the idle connections, because another one was not answered or leads to a server that does not accept writes. */
  dropIdle(): void {
    for (const { connection } of this.#idle.splice(0)) connection.abandon();
  }

  /** Closes every connection, also those in use, those that are probed and those that are being made. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#idleTimer ?? undefined);
    this.#probes.close();
    for (const connection of this.#used) connection.abandon();
    this.#refuseWaiting(shuttingDown());
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.close()));
  }

  /** A connection that counts as used. */
  async #next(): Promise<Connection> {
    for (;;) {
      if (this.#health.isSilent()) {
        const error = new StorageUnavailable('The database does not answer.');
        this.#refuseWaiting(error);
        throw error;
      }
      const connection = (await this.#acquireIdle()) ?? (await this.#openUnlessFull());
      if (connection !== null) return connection;
      if (this.#idle.length > 0) continue;
      const released = await new Promise<Connection | null>((resolve) => this.#waiting.push(resolve));
      if (released !== null) return released;
    }
  }

  /** Null when the server accepts no more connections than there are. */
  async #openUnlessFull(): Promise<Connection | null> {
    if (performance.now() < this.#fullUntil && this.size + this.#opening > 0) return null;
    this.#opening += 1;
    try {
      const connection = await this.#open();
      this.#used.add(connection);
      return connection;
    } catch (error) {
      const isOnly = this.size + this.#opening === 1;
      if (isOnly) this.#refuseWaiting(error);
      if (isOnly || stateOf(error) !== sqlState.tooManyConnections) throw error;
      this.#fullUntil = performance.now() + fullMs;
      this.#health.full(this.size, error);
      return null;
    } finally {
      this.#opening -= 1;
    }
  }

  /** No connection is left that could be released to those that wait for one. */
  #refuseWaiting(error: unknown): void {
    for (const next of this.#waiting.splice(0)) next(Promise.reject(error));
  }

  async #open(): Promise<Connection> {
    if (this.#closed) throw shuttingDown();
    const opening = this.#connector.open();
    try {
      return await this.#health.guard(opening);
    } catch (error) {
      opening.then(
        (late) => late.abandon(),
        () => undefined,
      );
      throw error;
    }
  }

  /** The most recently used connection that works, if there is one. A connection that was idle for a while is probed first. */
  async #acquireIdle(): Promise<Connection | null> {
    for (let entry = this.#idle.pop(); entry !== undefined; entry = this.#idle.pop()) {
      const { connection, since } = entry;
      if (connection.lost) continue;
      // From now on, so that it is closed when the pool is closed meanwhile.
      this.#used.add(connection);
      if (performance.now() - since < this.#limits.probeAfterMs || (await this.#lives(connection)))
        return connection;
    }
    return null;
  }

  async #lives(connection: Connection): Promise<boolean> {
    try {
      await this.#probes.guard(connection.state());
      return true;
    } catch (error) {
      this.#used.delete(connection);
      connection.abandon();
      // The other idle connections are probably dead too, and each would cost a probe.
      if (stateOf(error) === deadlineCode) this.dropIdle();
      return false;
    }
  }

  #closeIdle(): void {
    const before = performance.now() - this.#limits.idleMs;
    while ((this.#idle[0]?.since ?? before) < before) void this.#idle.shift()?.connection.close();
    if (this.#idle.length > 0) return;
    clearInterval(this.#idleTimer ?? undefined);
    this.#idleTimer = null;
  }
}
