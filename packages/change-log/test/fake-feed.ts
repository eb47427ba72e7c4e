import { Problem } from '@platform/kernel';
import { groupOf, type Operation, type PathStep, type Resource } from '@platform/resources';
import type { ChangeEntry } from '../src/model/change-entry.ts';
import { type Cursor, comparePlaces, type Place } from '../src/model/cursor.ts';
import type { ChangeLog, ChangePage } from '../src/ports/change-log.ts';

/** A change log in memory. A tick has the entries that were committed since the tick before; a snapshot may see some of them already. */
export class FakeFeed implements ChangeLog {
  readonly changes: ChangeEntry[] = [];
  reads = 0;
  heads = 0;
  /** Thrown by the next read. */
  failure: Error | null = null;
  readonly #rows = new Map<string, Resource>();
  readonly #listeners = new Set<() => void>();
  #tick = 0;
  #seq = 0;

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Writes a resource, and the entry of the write; `null` removes it. */
  write(uid: string, change: Partial<Resource> | null, options: Partial<ChangeEntry> = {}): ChangeEntry {
    const previous = this.#rows.get(uid) ?? null;
    const resource =
      change === null
        ? (previous as Resource)
        : { ...resourceOf(uid), ...previous, ...change, revision: (previous?.revision ?? 0) + 1 };
    if (change === null) this.#rows.delete(uid);
    else this.#rows.set(uid, resource);
    const place = { tick: this.#tick + 1, seq: ++this.#seq };
    const operation: Operation = change === null ? 'delete' : previous === null ? 'create' : 'update';
    const entry: ChangeEntry = {
      ...place,
      cursor: cursorAt(place),
      time: '2026-01-01T00:00:00.000Z',
      actor: { type: 'operator', id: 'op@example.dev' },
      requestId: 'r-1',
      reason: null,
      transaction: '',
      sourceAddress: null,
      userAgent: null,
      cascadeId: null,
      scopeUids: [],
      previousScopeUids: [],
      operation,
      removed: change === null,
      resource,
      previous,
      ...options,
    };
    this.changes.push(entry);
    if (options.tick === undefined) this.tick();
    return entry;
  }

  /** Several writes of one tick: a list may see some of them and not the others. */
  together(work: () => void): void {
    const tick = this.tick;
    this.tick = () => undefined;
    work();
    this.tick = tick;
    this.tick();
  }

  tick = (): void => {
    this.#tick += 1;
    for (const wake of this.#listeners) wake();
  };

  /** A list as of now, with its cursor. */
  list(): { readonly items: readonly Resource[]; readonly cursor: Cursor } {
    const items = [...this.#rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const unseen = this.changes.filter(({ tick }) => tick > this.#tick);
    const place = { tick: this.#tick, seq: Number.MAX_SAFE_INTEGER };
    return { items, cursor: cursorAt(place, unseen.length === 0 ? null : String(this.#seq)) };
  }

  async head(): Promise<Cursor> {
    this.heads += 1;
    return cursorAt({ tick: this.#tick, seq: Number.MAX_SAFE_INTEGER });
  }

  async parse(text: string): Promise<Cursor> {
    const [tick, seq, snapshot] = text.split('.');
    if (seq === undefined) throw new Problem('invalid_query', 'no cursor');
    return cursorAt({ tick: Number(tick), seq: Number(seq) }, snapshot ?? null);
  }

  async read(after: Cursor, limit: number): Promise<ChangePage> {
    this.reads += 1;
    const { failure } = this;
    this.failure = null;
    if (failure !== null) throw failure;
    const following = this.changes.filter(
      (change) => comparePlaces(change, after) > 0 && change.tick <= this.#tick,
    );
    const page = following.slice(0, limit);
    const more = following.length > limit;
    const end = more ? (page.at(-1) as ChangeEntry) : { tick: this.#tick, seq: Number.MAX_SAFE_INTEGER };
    return {
      changes: page.filter((change) => !this.includes(after, change)),
      end: this.advance(after, end),
      more,
    };
  }

  includes = (cursor: Cursor, change: ChangeEntry): boolean =>
    comparePlaces(change, cursor) <= 0 || (cursor.snapshot !== null && change.seq <= Number(cursor.snapshot));

  advance = (from: Cursor, to: Place): Cursor => {
    const place = { tick: to.tick, seq: to.seq };
    const snapshot = from.snapshot !== null && place.seq < Number(from.snapshot) ? from.snapshot : null;
    return cursorAt(place, snapshot);
  };

  async firstRemoved(after: Cursor, path: readonly PathStep[]): Promise<string | null> {
    const names = path.map(({ name }) => name).join('/');
    const found = this.changes.find(
      ({ removed, resource, ...change }) =>
        removed &&
        comparePlaces(change, after) > 0 &&
        resource.kind === path.at(-1)?.kind &&
        groupOf(resource.apiVersion) === path.at(-1)?.group &&
        [...resource.ancestors, resource.name].join('/') === names,
    );
    return found?.resource.uid ?? null;
  }

  async hasChanges(after: Cursor, uid: string): Promise<boolean> {
    return this.changes.some((change) => comparePlaces(change, after) > 0 && change.resource.uid === uid);
  }

  async listen(wake: () => void): Promise<{ close(): Promise<void> }> {
    this.#listeners.add(wake);
    return { close: async () => void this.#listeners.delete(wake) };
  }
}

function cursorAt({ tick, seq }: Place, snapshot: string | null = null): Cursor {
  return { tick, seq, snapshot, text: [tick, seq, ...(snapshot === null ? [] : [snapshot])].join('.') };
}

function resourceOf(uid: string): Resource {
  return {
    uid,
    apiVersion: 'farm.example/v1',
    kind: 'Farm',
    parentUid: null,
    ancestors: [],
    ancestorUids: [],
    labels: {},
    name: uid,
    discriminator: 'd0000001',
    metadata: '{"annotations":{}}',
    spec: '{}',
    status: '{"controllers":{}}',
    revision: 0,
    generation: 1,
    finalizers: [],
    ownerReferences: [],
    deletionTimestamp: null,
    creationTimestamp: '2026-01-01T00:00:00.000Z',
  };
}
