import type { Cursor } from '@platform/change-log';
import type { Resource } from '@platform/resources';

/** A part of the initial state. */
export interface InitialPage {
  readonly items: readonly Resource[];
  readonly more: boolean;
  /** The point of the log at which it was read. */
  readonly cursor: Cursor;
}
