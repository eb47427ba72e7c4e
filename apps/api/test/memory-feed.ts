import type { ChangeLog, StateReader } from '@platform/change-log';
import { Problem } from '@platform/kernel';

/** For stores without a log: nothing can be watched. */
export const noFeed = new Proxy({} as ChangeLog & StateReader, {
  get: () => async () => {
    throw new Problem('unavailable', 'This store has no change log.');
  },
});
