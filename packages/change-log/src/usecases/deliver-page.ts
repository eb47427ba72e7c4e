import { groupByKey } from '@platform/kernel';
import type { ChangeEntry } from '../model/change-entry.ts';
import type { ChangePage } from '../ports/change-log.ts';
import type { DeliveryFailure } from '../rules/retry.ts';

/** The end of a page: how far everything was delivered, and what went wrong. */
export interface PageResult {
  /** The cursor after the last entry that has no undelivered one before it; null when the first entry of the page is undelivered. */
  readonly cursor: string | null;
  readonly failure: DeliveryFailure | null;
  /** Whether every entry was delivered. */
  readonly complete: boolean;
}

/** How a page is delivered. */
export interface PageDelivery {
  isSelected(entry: ChangeEntry): boolean;
  send(entry: ChangeEntry): Promise<DeliveryFailure | null>;
  /** Whether no further entry may be sent. */
  stopped(): boolean;
  /** The numbers of the entries that were sent already. */
  readonly sent: Set<number>;
  /** How many resources are delivered at the same time. */
  readonly concurrency: number;
}

/**
 * Sends the selected entries of a page: those of one resource one after the other, those of several resources at the same time. After a
 * failure nothing new is begun.
 */
export async function deliverPage(page: ChangePage, delivery: PageDelivery): Promise<PageResult> {
  const { sent, concurrency } = delivery;
  const selected = page.changes.filter((entry) => delivery.isSelected(entry));
  const queues = [...groupByKey(selected.map((entry) => [entry.resource.uid, entry])).values()];
  let failure: DeliveryFailure | null = null;
  const work = async () => {
    for (let queue = queues.shift(); queue !== undefined; queue = queues.shift()) {
      for (const entry of queue) {
        if (sent.has(entry.seq)) continue;
        if (failure !== null || delivery.stopped()) return;
        const failed = await delivery.send(entry);
        if (failed !== null) {
          failure ??= failed;
          return;
        }
        sent.add(entry.seq);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const missing = new Set(selected.filter(({ seq }) => !sent.has(seq)));
  const firstMissing = page.changes.findIndex((entry) => missing.has(entry));
  if (firstMissing === -1) return { cursor: page.end.text, failure, complete: true };
  const cursor = page.changes[firstMissing - 1]?.cursor.text ?? null;
  return { cursor, failure, complete: false };
}
