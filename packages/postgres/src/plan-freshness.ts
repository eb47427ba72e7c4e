import type { Connection } from './connection.ts';
import type { Pool } from './pool.ts';

/**
 * The size of each table as a power of two of its pages: changes when one has doubled. The sizes are those of the files, so nothing has to be
 * analyzed first. It gives up at once where a table is locked exclusively, since a request waits behind it.
 */
export const tableSizesText = `
  with impatience as materialized (select set_config('lock_timeout', '10ms', true))
  select coalesce(string_agg(floor(log(2, 1 + pg_relation_size(oid) / 8192))::text, ' ' order by oid), '') from impatience, pg_class
  where relkind = 'r' and relnamespace = (select oid from pg_namespace where nspname = current_schema())`;

/**
 * Hands out connections whose plans were made for the tables as they are. A plan is made once for a prepared statement and kept, also those
 * of foreign keys and triggers: one that was made while a table was nearly empty may read all of it when it has grown. So the sizes are
 * looked at from time to time, and every connection drops its plans once before its next use when a table has doubled.
 */
export class PlanFreshness implements Pick<Pool, 'acquire' | 'release'> {
  readonly #pool: Pick<Pool, 'acquire' | 'release'>;
  readonly #sizesOn: (connection: Connection) => Promise<string>;
  readonly #intervalMs: number;
  readonly #plannedFor = new WeakMap<Connection, string>();
  #sizes = '';
  #nextLook: number;

  constructor(
    pool: Pick<Pool, 'acquire' | 'release'>,
    sizesOn: (connection: Connection) => Promise<string>,
    intervalMs: number,
  ) {
    this.#pool = pool;
    this.#sizesOn = sizesOn;
    this.#intervalMs = intervalMs;
    this.#nextLook = performance.now() + intervalMs;
  }

  async acquire(): Promise<Connection> {
    const connection = await this.#pool.acquire();
    const plannedFor = this.#plannedFor.get(connection);
    // Nothing here is waited for: the statement that follows is answered after it, and fails with the connection if it does.
    if (plannedFor === undefined) this.#plannedFor.set(connection, this.#sizes);
    else {
      if (plannedFor !== this.#sizes) {
        this.#plannedFor.set(connection, this.#sizes);
        connection.script('discard plans').catch(() => {});
      }
      this.#look(connection);
    }
    return connection;
  }

  release(connection: Connection): void {
    this.#pool.release(connection);
  }

  #look(connection: Connection): void {
    const now = performance.now();
    if (now < this.#nextLook) return;
    this.#nextLook = now + this.#intervalMs;
    this.#sizesOn(connection).then(
      (sizes) => {
        this.#sizes = sizes;
      },
      () => {},
    );
  }
}
