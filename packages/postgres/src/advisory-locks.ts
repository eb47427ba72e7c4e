/**
 * Advisory locks. All are held to the end of a transaction, so that they work behind a pooler.
 * The first number is "plat" in ASCII and avoids conflicts with other users of the database.
 */
const ours = 0x706c6174;

/** SQL that waits for the lock with that number, or SQL for one. Number 1 belongs to migrations, and 1024 to 1087 to `cascade_lock`. */
export function advisoryLock(second: number | string): string {
  return `pg_advisory_xact_lock(${ours}, ${second})`;
}

/**
 * SQL that tries the lock of replicas that migrate. No session waits for it: a waiting session holds a snapshot, and
 * `create index concurrently` would wait for that in turn.
 */
export const tryMigrationLock = `pg_try_advisory_xact_lock(${ours}, 1)`;
