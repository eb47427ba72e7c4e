import type { PathStep } from '@platform/resources';
import type { ChangeEntry } from '../model/change-entry.ts';
import type { Cursor, Place } from '../model/cursor.ts';

/** Some entries of the log, in its order. */
export interface ChangePage {
  readonly changes: readonly ChangeEntry[];
  /** After the last entry that was read. */
  readonly end: Cursor;
  /** Whether the log has more, as of the read. */
  readonly more: boolean;
}

/**
 * The change log, as its readers see it. All readers see the same entries in the same order, each once: the revisions of one resource in
 * their order, and a write that began after another one was answered after that one.
 *
 * @throws Problem `cursor_expired` for a cursor whose entries are no longer all there.
 */
export interface ChangeLog {
  /** The end of the log. */
  head(): Promise<Cursor>;

  /** Reads the text of a cursor. @throws Problem `invalid_query` for a text that is not a cursor of this store. */
  parse(text: string): Promise<Cursor>;

  /** Must return up to `limit` entries after the cursor in the total order, without those that its snapshot contains. */
  read(after: Cursor, limit: number): Promise<ChangePage>;

  /** Whether a reader at the cursor has seen the entry. */
  includes(cursor: Cursor, change: ChangeEntry): boolean;

  /** The cursor of a reader that stood at `from` and has seen everything up to the place. */
  advance(from: Cursor, to: Place & { readonly cursor: Cursor }): Cursor;

  /** The uid of the first resource with this path that was removed after the cursor; null when none was. */
  firstRemoved(after: Cursor, path: readonly PathStep[]): Promise<string | null>;

  /** Whether the log has an entry of the resource after the cursor. */
  hasChanges(after: Cursor, uid: string): Promise<boolean>;

  /** Calls `wake` when the log may have grown. Best effort: readers poll as well. */
  listen(wake: () => void): Promise<{ close(): Promise<void> }>;
}
