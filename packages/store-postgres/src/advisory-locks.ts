/**
 * The advisory locks of this package, all of them held to the end of a transaction, so that they work behind a pooler.
 * The first number is "plat" in ASCII and keeps us out of the way of other users of the database.
 */
const ours = 0x706c6174;

function lockNumber(second: number): string {
  return `pg_advisory_xact_lock(${ours}, ${second})`;
}

/** SQL that takes a lock; the order here is the order in which a transaction takes several. */
export const advisoryLock = {
  /**
   * Starting replicas that migrate. Tried, never waited for: a session that waits for a lock holds a snapshot, which
   * `create index concurrently` would wait for in turn.
   */
  tryMigration: `pg_try_advisory_xact_lock(${ours}, 1)`,
  /** Starting replicas that create the default Organization. */
  bootstrap: lockNumber(2),
  /** Writers of definitions. */
  catalog: lockNumber(3),
  /** Writers that add owner references, between the search for a cycle and the commit. */
  graph: lockNumber(4),
} as const;
