import {
  type ChangeEntry,
  type ChangeLog,
  type ChangePage,
  type Cursor,
  comparePlaces,
  type Place,
} from '@platform/change-log';
import { Problem } from '@platform/kernel';
import { groupOf, type PathStep, type Resource } from '@platform/resources';

const actor = { type: 'operator', id: 'op@example.dev' } as const;

/** A store whose rows can be seen. */
interface Rows {
  rows(): readonly Resource[];
  scopeUids(row: Resource): readonly string[];
}

/** The change log of a memory store, made of the differences between its tables: every change is a tick of its own. */
export class MemoryChangeLog implements ChangeLog {
  readonly #store: Rows;
  readonly #changes: ChangeEntry[] = [];
  readonly #listeners = new Set<() => void>();
  #rows = new Map<string, Resource>();

  constructor(store: Rows) {
    this.#store = store;
    this.#sync();
  }

  /** To be called after writes, so that none is merged with the next one. */
  readonly written = (): void => {
    if (this.#sync()) for (const wake of this.#listeners) wake();
  };

  /** The text of the end of the log. */
  get cursor(): string {
    this.#sync();
    return `m${this.#changes.length}`;
  }

  async head(): Promise<Cursor> {
    this.#sync();
    return cursorAt({ tick: this.#changes.length, seq: 0 });
  }

  async parse(text: string): Promise<Cursor> {
    const tick = /^m(\d+)$/.exec(text)?.[1];
    if (tick === undefined) throw new Problem('invalid_query', 'cursor is not one of this store.');
    return cursorAt({ tick: Number(tick), seq: 0 });
  }

  async read(after: Cursor, limit: number): Promise<ChangePage> {
    this.#sync();
    const changes = this.#changes.slice(after.tick, after.tick + limit);
    const more = after.tick + limit < this.#changes.length;
    const tick = more ? after.tick + limit : this.#changes.length;
    return { changes, end: cursorAt({ tick, seq: 0 }), more };
  }

  includes = (cursor: Cursor, change: ChangeEntry): boolean => comparePlaces(change, cursor) <= 0;

  advance = (_from: Cursor, to: Place & { readonly cursor: Cursor }): Cursor => to.cursor;

  async firstRemoved(after: Cursor, path: readonly PathStep[]): Promise<string | null> {
    const names = path.map(({ name }) => name).join('/');
    const item = path.at(-1);
    const found = this.#changes.find(
      ({ removed, tick, resource }) =>
        removed &&
        tick > after.tick &&
        resource.kind === item?.kind &&
        groupOf(resource.apiVersion) === item.group &&
        [...resource.ancestors, resource.name].join('/') === names,
    );
    return found?.resource.uid ?? null;
  }

  async hasChanges(after: Cursor, uid: string): Promise<boolean> {
    return this.#changes.some(({ tick, resource }) => tick > after.tick && resource.uid === uid);
  }

  async listen(wake: () => void): Promise<{ close(): Promise<void> }> {
    this.#listeners.add(wake);
    return { close: async () => void this.#listeners.delete(wake) };
  }

  #sync(): boolean {
    const rows = new Map(this.#store.rows().map((row) => [row.uid, row]));
    const before = this.#rows;
    const changed = [...rows.values()].filter((row) => before.get(row.uid) !== row);
    const removed = [...before.values()]
      .filter(({ uid }) => !rows.has(uid))
      .sort((a, b) => b.ancestors.length - a.ancestors.length);
    for (const row of changed) this.#append(row, before.get(row.uid) ?? null, false);
    for (const row of removed) this.#append(row, row, true);
    this.#rows = rows;
    return changed.length + removed.length > 0;
  }

  #append(resource: Resource, previous: Resource | null, removed: boolean): void {
    const place = { tick: this.#changes.length + 1, seq: 0 };
    this.#changes.push({
      ...place,
      cursor: cursorAt(place),
      time: '2026-01-01T00:00:00.000Z',
      actor,
      requestId: 'r-1',
      reason: null,
      transaction: '',
      sourceAddress: null,
      userAgent: null,
      cascadeId: null,
      operation: removed ? 'delete' : previous === null ? 'create' : 'update',
      removed,
      resource,
      previous,
      scopeUids: this.#store.scopeUids(resource),
      previousScopeUids: previous === null ? [] : this.#store.scopeUids(previous),
    });
  }
}

function cursorAt({ tick, seq }: Place): Cursor {
  return { tick, seq, snapshot: null, text: `m${tick}` };
}
