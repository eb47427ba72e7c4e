import type { ChangeEntry } from '../model/change-entry.ts';
import { type Cursor, ticksBehind } from '../model/cursor.ts';
import type { ListPlace } from '../model/initial-page.ts';
import { listKey, type Scope } from '../model/scope.ts';
import type { ChangeLog } from '../ports/change-log.ts';

/** A part of a list, and the point of the log that it was read at. */
interface Segment {
  /** The list key of its last resource; null for the part that ends the list. */
  readonly upTo: string | null;
  readonly cursor: Cursor;
}

/** A list of many pages is of several points of the log; this knows which changes each page has shown already. */
export class HandOver {
  #segments: Segment[] = [];
  readonly #scope: Scope;
  readonly #feed: Pick<ChangeLog, 'includes' | 'advance'>;

  constructor(scope: Scope, feed: Pick<ChangeLog, 'includes' | 'advance'>) {
    this.#scope = scope;
    this.#feed = feed;
  }

  /** Notes that the resources after the previous part, up to `lastRead`, were read at the cursor; null for the rest of the list. */
  add(lastRead: ListPlace | null, cursor: Cursor): void {
    const upTo = lastRead === null ? null : listKey(this.#scope, lastRead);
    const last = this.#segments.at(-1);
    if (last?.cursor.text === cursor.text) this.#segments.pop();
    this.#segments.push({ upTo, cursor });
  }

  /** Whether the list is of one point: the cursor of its first page then says everything. */
  get isOfOnePoint(): boolean {
    return this.#segments.length < 2;
  }

  /** Whether the list has shown the result of a change. */
  hasShown(change: ChangeEntry): boolean {
    const key = listKey(this.#scope, change.resource);
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { upTo } = this.#segments[middle] as Segment;
      if (upTo === null || key <= upTo) high = middle;
      else low = middle + 1;
    }
    const segment = this.#segments[low];
    return segment !== undefined && this.#feed.includes(segment.cursor, change);
  }

  /** Whether the log is past everything that the list can have shown, at the place of a change. */
  isOver(change: ChangeEntry): boolean {
    const last = this.#segments.at(-1);
    if (last !== undefined && change.tick <= last.cursor.tick + ticksBehind) return false;
    return !this.#segments.some(({ cursor }) => this.#feed.advance(cursor, change).snapshot !== null);
  }
}
