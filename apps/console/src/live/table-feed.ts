import { isPassing, readProblem, retryAfterMs } from '../api/http.ts';
import type { Resource } from '../api/resource.ts';
import { cellReader } from '../logic/columns.ts';
import { type FollowDeps, follow } from './follow.ts';
import { LiveTable } from './live-table.ts';
import {
  type Connection,
  emptyState,
  isSignedOut,
  type Refusal,
  type TableState,
  type ToWorker,
} from './messages.ts';
import { RowPlaces } from './row-places.ts';

/** The first page is for the first paint, later ones for the rest. */
const firstPage = 100;
const laterPage = 1_000;
/** A table holds no more: the page asks for a filter instead. */
const mostRows = 100_000;

export interface FeedSurroundings extends FollowDeps {
  readonly now: () => number;
  /** Called when there is something new to show; the caller decides when to take {@link TableFeed.state}. */
  readonly changed: () => void;
}

interface ListPage {
  readonly metadata: { readonly continue?: string; readonly cursor: string };
  readonly items: readonly Resource[];
}

/** Feeds one table: reads the list, then follows the changes after its first page, until it is closed. */
export class TableFeed {
  readonly #around: FeedSurroundings;
  readonly #stop = new AbortController();
  #stream = new AbortController();
  #table: LiveTable;
  #path = '';
  #cursor: string | null = null;
  #from = 0;
  #to = 60;
  #selected: readonly string[] = [];
  readonly #places = new RowPlaces();
  #wasLive = false;
  #isVisible = true;
  #state: TableState = emptyState;

  constructor(around: FeedSurroundings) {
    this.#around = around;
    this.#table = new LiveTable(() => [], around.now);
  }

  /** The rows and state that the screen shows now. */
  get state(): TableState {
    if (!this.#state.paused) this.#table.settle();
    const top = this.#places.top(this.#table);
    const moved = top.was === null ? 0 : top.at - top.was;
    const from = Math.max(0, this.#from + moved);
    return {
      ...this.#state,
      focus: this.#places.focus(this.#table, this.#state.complete),
      top,
      shown: this.#table.length,
      size: this.#table.size,
      waiting: this.#table.waiting,
      missing: this.#state.complete ? this.#selected.filter((uid) => !this.#table.has(uid)) : [],
      from,
      rows: this.#table.window(from, this.#to + moved),
    };
  }

  receive(message: ToWorker): void {
    switch (message.type) {
      case 'open':
        this.#path = message.path;
        this.#table = new LiveTable(cellReader(message.columns), this.#around.now);
        void this.#load();
        break;
      case 'window':
        this.#from = message.from;
        this.#to = message.to;
        this.#places.seeFrom(message.top, this.#table);
        break;
      case 'focus':
        this.#places.focusOn(message);
        break;
      case 'hold':
        this.#table.hold(message.held);
        break;
      case 'pause':
        this.#state = { ...this.#state, paused: message.paused };
        this.#table.freeze(message.paused);
        break;
      case 'sort':
        this.#table.sortBy(message.sort);
        this.#places.seeFrom(null, this.#table);
        break;
      case 'filter':
        this.#table.filterBy(message.text);
        this.#places.seeFrom(null, this.#table);
        break;
      case 'apply':
        this.#table.apply();
        break;
      case 'select':
        this.#selected = message.uids;
        break;
      case 'visible':
        this.#setVisible(message.visible);
        break;
      case 'resume':
        // All of it: it may be somebody else who has logged in.
        if (isSignedOut(this.#state)) this.receive({ type: 'retry' });
        break;
      case 'retry':
        this.#state = { ...this.#state, refusal: null };
        void this.#load();
        break;
    }
    this.#around.changed();
  }

  close(): void {
    this.#stop.abort();
    this.#stream.abort();
  }

  async #load(): Promise<void> {
    this.#cursor = null;
    this.#table.restart();
    const seen = new Set<string>();
    let next = '';
    let cursor: string | null = null;
    for (let limit = firstPage; ; limit = laterPage) {
      const page = await this.#page(limit, next);
      if (page === null) return;
      // Changes that come while later pages are read are after the first page, and so in the stream.
      cursor ??= page.metadata.cursor;
      for (const item of page.items) {
        seen.add(item.metadata.uid);
        this.#table.load(item);
      }
      this.#around.changed();
      if (page.metadata.continue === undefined) break;
      if (this.#table.size >= mostRows) {
        this.#say({ at: 'not-live', why: 'limit' }, { limited: true });
        return;
      }
      next = page.metadata.continue;
    }
    this.#table.retain(seen);
    this.#state = { ...this.#state, complete: true };
    this.#cursor = cursor;
    this.#follow();
  }

  async #page(limit: number, next: string): Promise<ListPage | null> {
    const mark = this.#path.includes('?') ? '&' : '?';
    const path = `${this.#path}${mark}limit=${limit}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`;
    for (let failures = 0; ; failures += 1) {
      let askedMs = 0;
      try {
        const response = await this.#around.fetch(path, {
          headers: { Accept: 'application/json' },
          credentials: 'same-origin',
          signal: this.#stop.signal,
        });
        if (response.ok) return (await response.json()) as ListPage;
        const problem = await readProblem(response);
        const { status } = response;
        askedMs = retryAfterMs(response);
        if (!isPassing(status)) {
          this.#refuse({ status, problem, requestId: response.headers.get('X-Request-Id'), path });
          return null;
        }
      } catch {
        if (this.#stop.signal.aborted) return null;
      }
      const retryMs = askedMs + Math.min(30_000, 1_000 * 2 ** failures);
      this.#cut(retryMs);
      await this.#around.sleep(retryMs, this.#stop.signal).catch(() => undefined);
    }
  }

  #follow(): void {
    if (this.#cursor === null) return;
    if (!this.#isVisible) {
      this.#say({ at: 'not-live', why: 'hidden' });
      return;
    }
    this.#stream = new AbortController();
    const { signal } = this.#stream;
    const handlers = {
      live: () => {
        this.#wasLive = true;
        this.#say({ at: 'live' });
      },
      change: (event: { readonly type: string; readonly object: Resource }) => {
        if (event.type === 'DELETED') {
          this.#table.remove(event.object.metadata.uid, event.object.metadata.revision);
        } else this.#table.put(event.object);
        this.#around.changed();
      },
      moved: (cursor: string) => {
        this.#cursor = cursor;
      },
      cut: (retryMs: number) => this.#cut(retryMs),
      expired: () => void this.#load(),
      refused: (status: number, problem: Refusal['problem']) => {
        // The end of a session takes no rows away.
        if (status === 401) this.#say({ at: 'not-live', why: 'signed-out' });
        // The list was answered, so the rows stay when only the stream is refused.
        else if (!this.#wasLive) this.#say({ at: 'not-live', why: status === 403 ? 'forbidden' : 'refused' });
        else this.#refuse({ status, problem, requestId: null, path: this.#path });
      },
    };
    void follow(this.#path, this.#cursor, handlers, this.#around, signal);
  }

  /** Removes from memory the resources that the caller may no longer see. */
  #refuse(refusal: Refusal): void {
    this.#table.clear();
    this.#state = { ...this.#state, refusal };
    this.#around.changed();
  }

  #setVisible(visible: boolean): void {
    const wasVisible = this.#isVisible;
    this.#isVisible = visible;
    if (!visible) {
      this.#stream.abort();
      if (this.#state.connection.at === 'live') this.#say({ at: 'not-live', why: 'hidden' });
    } else if (!wasVisible && this.#state.refusal === null) this.#follow();
  }

  #cut(retryMs: number): void {
    const { connection } = this.#state;
    const since = connection.at === 'cut' ? connection.since : this.#around.now();
    this.#say({ at: 'cut', since, retryMs });
  }

  #say(connection: Connection, more: Partial<TableState> = {}): void {
    this.#state = { ...this.#state, connection, ...more };
    this.#around.changed();
  }
}
