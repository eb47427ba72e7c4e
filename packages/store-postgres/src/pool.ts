import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, type ConnectionSettings } from './connection.ts';
import { Gate, type GateLimits } from './gate.ts';

/** Bounds of a {@link Pool}, times in milliseconds. */
export interface PoolLimits extends GateLimits {
  /** How long a connection may be of no use before it is closed. */
  readonly idleMs: number;
  /** How old one may get: plans and memory of a server process grow with it. */
  readonly lifetimeMs: number;
}

/**
 * The connections of a process, made when they are needed, each used by one at a time. The most recently used one is taken, so
 * that those which a quiet time does not need fall idle and close.
 */
export class Pool {
  readonly #settings: ConnectionSettings;
  readonly #limits: PoolLimits;
  readonly #gate: Gate;
  readonly #used = new Set<Connection>();
  readonly #idle: { readonly connection: Connection; readonly since: number }[] = [];
  #sweeper: NodeJS.Timeout | null = null;

  constructor(settings: ConnectionSettings, limits: PoolLimits) {
    this.#settings = settings;
    this.#limits = limits;
    this.#gate = new Gate(limits);
  }

  /** Connections in use, and callers that wait for one. */
  get load(): { readonly active: number; readonly waiting: number } {
    return this.#gate.load;
  }

  /** Hands out a connection, which must be given back. Rejects with `unavailable` when too many wait, or for too long. */
  async take(): Promise<Connection> {
    if (!this.#gate.tryEnter()) await this.#gate.enter();
    let connection = this.#idle.pop()?.connection;
    while (connection?.lost) connection = this.#idle.pop()?.connection;
    connection ??= new Connection(this.#settings);
    this.#used.add(connection);
    return connection;
  }

  /** Takes a connection back. One that was lost makes room for a new one. */
  give(connection: Connection): void {
    this.#used.delete(connection);
    const now = performance.now();
    if (!connection.lost) {
      if (connection.madeAt + this.#limits.lifetimeMs < now) void connection.close();
      else this.#idle.push({ connection, since: now });
    }
    this.#gate.leave();
    this.#sweeper ??= setInterval(() => this.#sweep(), Math.max(1, this.#limits.idleMs / 2)).unref();
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
    for (const connection of this.#used) connection.abandon();
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.close()));
  }

  #sweep(): void {
    const before = performance.now() - this.#limits.idleMs;
    while ((this.#idle[0]?.since ?? before) < before) void this.#idle.shift()?.connection.close();
    if (this.#idle.length > 0) return;
    clearInterval(this.#sweeper ?? undefined);
    this.#sweeper = null;
  }
}
