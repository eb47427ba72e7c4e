/**
 * Advisory locks. All are held to the end of a transaction, so that they work behind a pooler.
 * The first number is "plat" in ASCII and avoids conflicts with other users of the database.
 */
const ours = 0x706c6174;

/** SQL that waits for the lock with that number, or SQL for one. Number 1 belongs to migrations, 2 to logins, and 1024 to 1087 to `cascade_lock`. */
export function advisoryLock(second: number | string): string {
  return `pg_advisory_xact_lock(${ours}, ${second})`;
}

/**
 * SQL that waits for the lock between logins, which share it, and what ends them. Without it, a login that has not committed and a logout that
 * has not do not see each other, and the session goes on.
 */
export const loginLock = {
  start: `pg_advisory_xact_lock_shared(${ours}, 2)`,
  end: advisoryLock(2),
} as const;

/**
 * SQL that tries the lock of replicas that migrate. No session waits for it: a waiting session holds a snapshot, and
 * `create index concurrently` would wait for that in turn.
 */
export const tryMigrationLock = `pg_try_advisory_xact_lock(${ours}, 1)`;
