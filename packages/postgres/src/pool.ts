import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '@platform/kernel';
import type { Connection } from './connection.ts';
import type { Connector } from './connector.ts';
import { Deadlines } from './deadlines.ts';
import { Gate, type GateLimits } from './gate.ts';
import { stateOf, translateError } from './sqlstate.ts';

/** Bounds of a {@link Pool}, times in milliseconds. */
export interface PoolLimits extends GateLimits {
  /** How long a connection may be of no use before it is closed. */
  readonly idleMs: number;
  /** How old one may get: plans and memory of a server process grow with it. */
  readonly lifetimeMs: number;
  /** After how long without use a connection is asked whether it still lives. */
  readonly probeAfterMs: number;
}

/** What a pool is told of the server. */
export interface Outlook {
  /** While it is, nobody gets a connection: each would wait for its deadline. */
  isSilent(): boolean;
  /** Gives up on a promise when it takes too long, or the server falls silent. */
  guard<T>(promise: Promise<T>): Promise<T>;
}

/** How long that may take. */
const probeMs = 1_000;

/**
 * The connections of a process, made when they are needed, each used by one at a time. The most recently used one is taken, so
 * that those which a quiet time does not need fall idle and close.
 */
export class Pool {
  readonly #connector: Connector;
  readonly #outlook: Outlook;
  readonly #limits: PoolLimits;
  readonly #probes = new Deadlines(probeMs);
  readonly #gate: Gate;
  readonly #used = new Set<Connection>();
  readonly #idle: { readonly connection: Connection; readonly since: number }[] = [];
  #sweeper: NodeJS.Timeout | null = null;

  constructor(connector: Connector, limits: PoolLimits, outlook: Outlook) {
    this.#connector = connector;
    this.#outlook = outlook;
    this.#limits = limits;
    this.#gate = new Gate(limits);
  }

  /** Connections in use, and callers that wait for one. */
  get load(): { readonly active: number; readonly waiting: number } {
    return this.#gate.load;
  }

  /**
   * Hands out a connection, which must be given back. Rejects with StorageUnavailable when too many wait, or for too long, and when no
   * server can be reached that takes writes: nothing was sent then.
   */
  async take(): Promise<Connection> {
    this.#refuseWhileSilent();
    if (!this.#gate.tryEnter()) await this.#gate.enter();
    try {
      this.#refuseWhileSilent();
      const connection = (await this.#takeIdle()) ?? (await this.#open());
      this.#used.add(connection);
      return connection;
    } catch (error) {
      this.#gate.leave();
      throw translateError(error);
    }
  }

  /** Takes a connection back. One that was lost is closed, and makes room for a new one. */
  give(connection: Connection): void {
    this.#used.delete(connection);
    const now = performance.now();
    if (connection.lost) connection.abandon();
    else if (connection.madeAt + this.#limits.lifetimeMs < now) void connection.close();
    else this.#idle.push({ connection, since: now });
    this.#gate.leave();
    this.#sweeper ??= setInterval(() => this.#sweep(), Math.max(1, this.#limits.idleMs / 2)).unref();
  }

  /** Gives up the connections that nobody uses: one of their kind was not answered, or led to a server that takes no writes. */
  dropIdle(): void {
    for (const { connection } of this.#idle.splice(0)) connection.abandon();
  }

  /** Turns away those that wait. */
  refuseWaiting(): void {
    this.#gate.refuseWaiting(silence());
  }

  /** Turns callers away from now on, waits for those that are there, at most `graceMs`, and closes every connection. */
  async close(graceMs: number): Promise<void> {
    const patience = new AbortController();
    await Promise.race([
      this.#gate.close(),
      sleep(graceMs, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
    clearInterval(this.#sweeper ?? undefined);
    this.#probes.close();
    for (const connection of this.#used) connection.abandon();
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.close()));
  }

  #refuseWhileSilent(): void {
    if (this.#outlook.isSilent()) throw silence();
  }

  async #open(): Promise<Connection> {
    const opening = this.#connector.open();
    try {
      return await this.#outlook.guard(opening);
    } catch (error) {
      opening.then(
        (late) => late.abandon(),
        () => undefined,
      );
      throw error;
    }
  }

  /** The connection that was used last and lives, if there is one. One that was idle for a while may have died without a word. */
  async #takeIdle(): Promise<Connection | null> {
    for (let entry = this.#idle.pop(); entry !== undefined; entry = this.#idle.pop()) {
      const { connection, since } = entry;
      if (connection.lost) continue;
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
      connection.abandon();
      // The others were silenced with it, and each would cost a probe.
      if (stateOf(error) === 'DEADLINE') this.dropIdle();
      return false;
    }
  }

  #sweep(): void {
    const before = performance.now() - this.#limits.idleMs;
    while ((this.#idle[0]?.since ?? before) < before) void this.#idle.shift()?.connection.close();
    if (this.#idle.length > 0) return;
    clearInterval(this.#sweeper ?? undefined);
    this.#sweeper = null;
  }
}

function silence(): StorageUnavailable {
  return new StorageUnavailable('The database does not answer.');
}
