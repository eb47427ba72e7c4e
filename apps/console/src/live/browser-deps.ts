import { reportReach } from '../api/reach.ts';
import type { FollowDeps } from './follow.ts';

/** The real network, clock and chance, for the page and for workers. */
export const browserDeps: FollowDeps = {
  fetch: async (path, init) => {
    const startedAt = performance.now();
    try {
      const response = await fetch(path, init);
      reportReach(true, startedAt);
      return response;
    } catch (error) {
      if (!init.signal?.aborted) reportReach(false, startedAt);
      throw error;
    }
  },
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};
