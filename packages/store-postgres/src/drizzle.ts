import type { Parameter, Sql } from '@platform/postgres';
import { DrizzleQueryError } from 'drizzle-orm';
import { drizzle, type PgRemoteDatabase } from 'drizzle-orm/pg-proxy';
import * as schema from './schema/index.ts';

/** drizzle's query builder over our tables. */
export type Drizzle = PgRemoteDatabase<typeof schema>;

const builders = new WeakMap<Sql, Drizzle>();

/**
 * Runs a query that drizzle builds, on the pool or in a transaction: `query(sql, (db) => db.select()...)`. Not for the hot statements of
 * resources, which are prepared SQL (docs/decisions/0012-hot-statements-are-prepared-sql.md).
 * @throws what {@link Sql.rows} throws, without drizzle's wrapping, which would put SQL into the message.
 */
export async function query<T>(sql: Sql, build: (db: Drizzle) => PromiseLike<T>): Promise<T> {
  let db = builders.get(sql);
  if (db === undefined) {
    db = drizzle(
      async (text, parameters) => ({ rows: [...(await sql.rows(text, parameters as Parameter[]))] }),
      {
        schema,
      },
    );
    builders.set(sql, db);
  }
  try {
    return await build(db);
  } catch (error) {
    throw error instanceof DrizzleQueryError ? (error.cause ?? error) : error;
  }
}
