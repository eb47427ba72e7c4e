import type { FollowSurroundings } from './follow.ts';

/** The real network, clock and chance, for the page and for workers. */
export const browserSurroundings: FollowSurroundings = {
  fetch: (path, init) => fetch(path, init),
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
