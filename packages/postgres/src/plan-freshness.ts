import type { Connection } from './connection.ts';
import type { Pool } from './pool.ts';

/**
 * The size of each table as a power of two of its pages: changes when one has doubled. The sizes are those of the files, so nothing has to be
 * analyzed first. It fails at once when a table is locked exclusively, because a request waits for it.
 */
export const tableSizesText = `
  with timeout as materialized (select set_config('lock_timeout', '10ms', true))
  select coalesce(string_agg(floor(log(2, 1 + pg_relation_size(oid) / 8192))::text, ' ' order by oid), '') from timeout, pg_class
  where relkind = 'r' and relnamespace = (select oid from pg_namespace where nspname = current_schema())`;

/**
 * Hands out connections whose plans fit the current sizes of the tables. PostgreSQL makes the plan of a prepared statement, foreign key or
 * trigger once and keeps it: a plan for a nearly empty table may read all of it when it has grown. So the sizes are checked regularly, and
 * when a table has doubled, every connection discards its plans before its next use.
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
    // Not awaited: the next statement is answered after it, and fails if the connection does.
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
