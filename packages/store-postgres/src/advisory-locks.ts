import { advisoryLock as lock } from '@platform/postgres';

/** SQL that takes a lock to the end of the transaction; the order here is the order in which a transaction takes several. */
export const advisoryLock = {
  /** Starting replicas that create the default Organization. */
  bootstrap: lock(2),
  /** Writers of definitions. */
  catalog: lock(3),
  /** Writers that add owner references, between the search for a cycle and the commit. */
  graph: lock(4),
  /** DELETEs that leave their dependents to the collector, to the commit. */
  cascade: lock(5),
  /** Writers of dependents share it by `hold_cascades`; `owner` is SQL for a uid. */
  cascadeFrom: (owner: string) => lock(`cascade_lock(${owner})`),
  /** SQL that tries the lock of a request with an idempotency key, and tells whether it was free; `key` is SQL for a text. */
  tryRequest: (key: string) => `pg_try_advisory_xact_lock(hashtextextended(${key}, 0))`,
} as const;
