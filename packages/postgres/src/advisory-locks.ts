/**
 * Advisory locks, all of them held to the end of a transaction, so that they work behind a pooler.
 * The first number is "plat" in ASCII and keeps us out of the way of other users of the database.
 */
const ours = 0x706c6174;

/** SQL that waits for the lock with that number. Number 1 is that of migrations. */
export function advisoryLock(second: number): string {
  return `pg_advisory_xact_lock(${ours}, ${second})`;
}

/**
 * SQL that tries the lock of starting replicas that migrate. It is never waited for: a session that waits for a lock holds a snapshot,
 * which `create index concurrently` would wait for in turn.
 */
export const tryMigrationLock = `pg_try_advisory_xact_lock(${ours}, 1)`;
