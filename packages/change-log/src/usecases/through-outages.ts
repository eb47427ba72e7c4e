import { Problem, StorageError } from '@platform/kernel';
import type { Timers } from '../ports/timers.ts';

const retryMs = 1_000;

/** Reads until the database answers, once a second; rejects with the first error that is no outage, and with any once it `isOver`. */
export async function throughOutages<T>(
  read: () => Promise<T>,
  timers: Pick<Timers, 'sleep'>,
  isOver: () => boolean,
): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (isOver() || !isOutage(error)) throw error;
      await timers.sleep(retryMs).done;
    }
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof StorageError || (error instanceof Problem && error.status >= 500);
}
