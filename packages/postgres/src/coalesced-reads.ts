import { StorageError } from '@platform/kernel';
import type { Batcher } from './batcher.ts';
import type { Sql } from './connection.ts';
import type { Statements } from './database.ts';
import { tookTooLong } from './sqlstate.ts';

/** How concurrent reads share statements. */
export interface CoalescedReads<Read, Found> {
  /** Reads of a statement, and statements with one key at the same time. */
  readonly limits: { readonly maxCount: number; readonly maxRunning: number };
  /** Reads with the same key fit into one statement. There are few: a batcher is kept for each. */
  readonly keyOf: (read: Read) => string | number;
  /** Answers the reads in their order, from one snapshot. */
  readonly run: (sql: Sql, reads: readonly Read[]) => Promise<readonly Found[]>;
}

/**
 * Makes concurrent reads share a statement. A read is never answered by a statement that was sent before it arrived. When the statement
 * fails, each read runs again alone, so that a slow or invalid one fails alone.
 */
export function coalesceReads<Read, Found>(
  statements: Statements,
  { limits, keyOf, run }: CoalescedReads<Read, Found>,
): (read: Read) => Promise<Found> {
  const batchers = new Map<string | number, Pick<Batcher<Read, Found>, 'add'>>();

  const runBatch = async (sql: Sql, reads: readonly Read[]): Promise<readonly (Found | Promise<Found>)[]> => {
    try {
      return await run(sql, reads);
    } catch (error) {
      // An outage concerns the whole batch. A timeout may be caused by one read, and the others need not fail with it.
      const slow = reads.length > 1 && tookTooLong(error);
      if (error instanceof StorageError && !slow) throw error;
      return reads.map(async (read) => (await run(statements, [read]))[0] as Found);
    }
  };

  return (read) => {
    const key = keyOf(read);
    let batcher = batchers.get(key);
    if (batcher === undefined) {
      // Reads have parameters of a few hundred bytes, which the queue limits by their number.
      batcher = statements.batcher({ ...limits, maxBytes: 0, run: runBatch, bytesOf: () => 0 });
      batchers.set(key, batcher);
    }
    return batcher.add(read);
  };
}
