import type { Clock } from '@platform/kernel';
import { MemoryFeed } from './memory-feed.ts';
import { createMemoryStore, type MemoryStore } from './store.ts';

/** A memory store with the log of its changes. */
export interface WatchedMemoryStore extends MemoryStore {
  readonly feed: MemoryFeed;
}

/** Creates a memory store whose changes can be watched. */
export function createWatchedStore({ clock }: { readonly clock: Clock }): WatchedMemoryStore {
  const store = createMemoryStore({ clock, cursor: () => feed.cursor });
  const feed: MemoryFeed = new MemoryFeed(store);
  return {
    ...store,
    feed,
    writer: telling(store.writer, feed.written),
    transactions: telling(store.transactions, feed.written),
    garbageCollector: telling(store.garbageCollector, feed.written),
    removeRow: (uid) => store.removeRow(uid).then(feed.written),
  };
}

/** The same methods; each reports when it is done. */
function telling<T extends object>(methods: T, done: () => void): T {
  const all = Object.entries(methods).map(([name, method]) => [
    name,
    async (...parameters: unknown[]) => {
      const result = await method(...parameters);
      done();
      return result;
    },
  ]);
  return Object.fromEntries(all) as T;
}
