import { Problem } from '@platform/kernel';

/** A place in the total order of the change log. */
export interface Place {
  readonly tick: number;
  readonly seq: number;
}

/**
 * A point in the log: everything up to its place has been seen, and beyond it what the snapshot of a read contained. A read ends between
 * two places of the log, so a list needs both to say what it showed.
 */
export interface Cursor extends Place {
  /** Opaque; null where the place alone says everything. */
  readonly snapshot: string | null;
  /** The form that clients keep. */
  readonly text: string;
}

/**
 * The ticks after that of a snapshot that may have entries which it shows. The first one after it may have been taken before and committed
 * after the snapshot; the second one was taken when the first was committed.
 */
export const ticksBehind = 2;

/** Negative when `a` comes before `b` in the log. */
export function comparePlaces(a: Place, b: Place): number {
  return a.tick - b.tick || a.seq - b.seq;
}

/** The refusal of a text that is not a cursor of this store. */
export function cursorInvalid(): Problem {
  return new Problem('invalid_query', 'cursor is not a cursor of this store.', {
    errors: [{ path: 'cursor', message: 'is not a cursor of this store' }],
  });
}

/** The refusal of a cursor whose entries are no longer kept, or that a failover or a restore has lost. */
export function cursorExpired(): Problem {
  return new Problem('cursor_expired', 'The changes after this cursor are no longer kept; list again.');
}
