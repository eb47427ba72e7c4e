import { type StateReader, stateReader } from '@platform/change-log';
import { MemoryChangeLog } from './change-log.ts';
import type { MemoryStore } from './store.ts';

/** The change log of a memory store, with reads of the state. */
export class MemoryFeed extends MemoryChangeLog implements StateReader {
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
