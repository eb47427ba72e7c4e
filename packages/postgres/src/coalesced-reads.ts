import { StorageError } from '@platform/kernel';
import { Batcher, type BatchLimits } from './batcher.ts';
import { tookTooLong } from './sqlstate.ts';

/** How reads of one moment are answered together. */
export interface CoalescedReads<Read, Found> {
  readonly limits: Pick<BatchLimits, 'maxCount' | 'maxRunning'>;
  /** Reads with the same key fit into one statement. There are few: a batcher is kept for each. */
  readonly keyOf: (read: Read) => string | number;
  /** Answers them in their order, from one snapshot. */
  readonly together: (reads: readonly Read[]) => Promise<readonly Found[]>;
}

const bounds = { maxWeight: 0, maxWaiting: 10_000, maxWaitMs: 30_000 };

/**
 * Makes reads that arrive at the same moment share a statement. A read is never answered by a statement that was sent before it came. When the
 * statement fails, each is run again alone, so that a slow or poisoned one fails alone.
 */
export function coalesceReads<Read, Found>({
  limits,
  keyOf,
  together,
}: CoalescedReads<Read, Found>): (read: Read) => Promise<Found> {
  const batchers = new Map<string | number, Batcher<Read, Found>>();

  const run = async (reads: readonly Read[]): Promise<readonly (Found | Promise<Found>)[]> => {
    try {
      return await together(reads);
    } catch (error) {
      // An outage is nobody's in particular. A timeout may be one read's alone, and the others need not fail with it.
      const slow = reads.length > 1 && tookTooLong(error);
      if (error instanceof StorageError && !slow) throw error;
      return reads.map(async (read) => (await together([read]))[0] as Found);
    }
  };

  return (read) => {
    const key = keyOf(read);
    let batcher = batchers.get(key);
    if (batcher === undefined) {
      batcher = new Batcher({ ...bounds, ...limits }, run);
      batchers.set(key, batcher);
    }
    return batcher.add(read);
  };
}
