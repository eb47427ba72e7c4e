import type { LiveTable } from './live-table.ts';
import type { FocusRequest, TableState } from './messages.ts';

/** Follows two rows of a table by their uid while others come and go around them: the one that the keys are on, and the first one in sight. */
export class RowPlaces {
  #focus: FocusRequest = { request: 0, at: 0 };
  #top: { readonly was: number | null; readonly uid: string | undefined } = { was: null, uid: undefined };

  focusOn({ request, at, uid }: FocusRequest): void {
    this.#focus = { request, at, uid };
  }

  /** `top` is null for a table at its beginning, whose new rows are to be seen. */
  seeFrom(top: number | null, table: LiveTable): void {
    this.#top = { was: top, uid: top === null ? undefined : uidAt(table, top) };
  }

  /** A row that is gone gives its place to the one that is there now. Until the list is complete, it may still come. */
  focus(table: LiveTable, isComplete: boolean): TableState['focus'] {
    const { request, at, uid } = this.#focus;
    // Until somebody chooses a row, the first one has the focus, in any order.
    if (request > 0) {
      const place = uid === undefined ? -1 : table.indexOf(uid);
      if (place >= 0) this.#focus = { request, at: place, uid };
      else if (isComplete || uid === undefined) {
        const nearest = isComplete ? Math.max(0, Math.min(at, table.length - 1)) : at;
        this.#focus = { request, at: nearest, uid: uidAt(table, nearest) };
      }
    }
    const now = this.#focus.at;
    return { request, at: now, row: table.window(now, now + 1)[0] };
  }

  top(table: LiveTable): TableState['top'] {
    const { was, uid } = this.#top;
    const place = uid === undefined ? -1 : table.indexOf(uid);
    return { was, at: place < 0 ? (was ?? 0) : place };
  }
}

function uidAt(table: LiveTable, at: number): string | undefined {
  return table.window(at, at + 1)[0]?.uid;
}
