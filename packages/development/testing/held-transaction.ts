import postgres from 'postgres';
import type { TestDatabase } from './test-database.ts';

/** Statements of a transaction of its own that is open while `meanwhile` runs, and ends with it. */
export async function whileHeld<T>(
  database: TestDatabase,
  statements: readonly string[],
  meanwhile: (held: { release(): Promise<void> }) => Promise<T>,
): Promise<T> {
  const connection = postgres(database.url, { max: 1, onnotice: () => {} });
  let released = false;
  const release = async () => {
    if (released) return;
    released = true;
    await connection.unsafe('commit');
  };
  try {
    await connection.unsafe('begin');
    for (const statement of statements) await connection.unsafe(statement);
    return await meanwhile({ release });
  } finally {
    await release();
    await connection.end();
  }
}

/** Resolves once so many statements of other sessions wait for a lock. */
export async function waitingForLocks(database: TestDatabase, count: number): Promise<void> {
  for (;;) {
    const [row] = await database.sql`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (row?.['waiting'] >= count) return;
  }
}
