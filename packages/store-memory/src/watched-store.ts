import { type StateReader, stateReader } from '@platform/change-log';
import type { Clock } from '@platform/kernel';
import { MemoryChangeLog } from './change-log.ts';
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

/** The change log of a memory store, with reads of the state. */
class MemoryFeed extends MemoryChangeLog implements StateReader {
  readonly #store: Pick<MemoryStore, 'reader' | 'rows' | 'scopeUids'>;

  constructor(store: Pick<MemoryStore, 'reader' | 'rows' | 'scopeUids'>) {
    super(store);
    this.#store = store;
  }

  get: StateReader['get'] = async (ref, definition) => {
    return await this.#state().get(ref, definition);
  };

  list: StateReader['list'] = async (...wanted) => await this.#state().list(...wanted);

  #state(): StateReader {
    return stateReader(this.#store.reader, { parse: () => this.head() });
  }

  all: StateReader['all'] = async (after) => {
    const rows = [...this.#store.rows()].sort((a, b) => (a.uid < b.uid ? -1 : 1));
    const items = rows.filter(({ uid }) => after === null || uid > after.uid);
    return { items: items.slice(0, 2), more: items.length > 2, cursor: await this.head() };
  };
}
