import type { PagePosition, Resource } from '@platform/resources';
import type { Cursor } from './cursor.ts';

/** The place in a list that a page begins after. */
export type ListPlace = Resource | PagePosition;

/** A part of the initial state. */
export interface InitialPage {
  readonly items: readonly Resource[];
  readonly more: boolean;
  /** Where the next page begins, when that is not after the last item: a page across parents may have no item. */
  readonly next?: PagePosition | null;
  /** The point of the log at which it was read. */
  readonly cursor: Cursor;
}
