import type { Problem } from '../api/http.ts';
import type { Column } from '../logic/columns.ts';
import type { Waiting } from './live-table.ts';
import type { Row, Sort } from './row.ts';

/** The keys are on the row with this uid, wherever it goes; on the one at this place when there is none. */
export interface FocusRequest {
  /** Numbers the requests, so that the answer to the latest one is known. */
  readonly request: number;
  readonly at: number;
  readonly uid?: string | undefined;
}

/** The messages from the page to the worker of a table. */
export type ToWorker =
  | { readonly type: 'open'; readonly path: string; readonly columns: readonly Column[] }
  /** The rows that are asked for, and the first one in sight of a table that is scrolled. */
  | { readonly type: 'window'; readonly from: number; readonly to: number; readonly top: number | null }
  | ({ readonly type: 'focus' } & FocusRequest)
  | { readonly type: 'hold'; readonly held: boolean }
  | { readonly type: 'pause'; readonly paused: boolean }
  | { readonly type: 'sort'; readonly sort: Sort }
  | { readonly type: 'filter'; readonly text: string }
  | { readonly type: 'apply' }
  /** The rows that are selected. */
  | { readonly type: 'select'; readonly uids: readonly string[] }
  /** The tab is hidden, or visible again: a hidden one keeps no stream. */
  | { readonly type: 'visible'; readonly visible: boolean }
  /** Somebody has logged in again. */
  | { readonly type: 'resume' }
  /** The list is read again after a refusal. */
  | { readonly type: 'retry' };

/** Where a table stands with the server. */
export type Connection =
  | { readonly at: 'loading' }
  | { readonly at: 'live' }
  | { readonly at: 'cut'; readonly since: number; readonly retryMs: number }
  | { readonly at: 'not-live'; readonly why: 'forbidden' | 'refused' | 'limit' | 'hidden' | 'signed-out' };

/** A refusal that took the place of the rows. */
export interface Refusal {
  readonly status: number;
  readonly problem: Problem | null;
  readonly requestId: string | null;
  readonly path: string;
}

/** The message from the worker to the page: everything that is on the screen. */
export interface TableState {
  readonly connection: Connection;
  readonly refusal: Refusal | null;
  /** Rows of the table under its filter, and resources that were read. */
  readonly shown: number;
  readonly size: number;
  /** Whether every page of the list was read. */
  readonly complete: boolean;
  /** Whether the list was cut off at the most that a table holds. */
  readonly limited: boolean;
  readonly waiting: Waiting;
  /** The selected rows that the list does not have any more. */
  readonly missing: readonly string[];
  readonly paused: boolean;
  /** The row that the keys are on. */
  readonly focus: { readonly request: number; readonly at: number; readonly row: Row | undefined };
  /** Where the row is now that was the first one in sight, at the place `was`. */
  readonly top: { readonly was: number | null; readonly at: number };
  readonly from: number;
  readonly rows: readonly Row[];
}

/** Whether the table waits for a login. */
export function isSignedOut({ connection, refusal }: TableState): boolean {
  return refusal?.status === 401 || (connection.at === 'not-live' && connection.why === 'signed-out');
}

export const emptyState: TableState = {
  connection: { at: 'loading' },
  refusal: null,
  shown: 0,
  size: 0,
  complete: false,
  limited: false,
  waiting: { added: 0, gone: 0, moved: 0, changed: 0 },
  missing: [],
  paused: false,
  focus: { request: 0, at: 0, row: undefined },
  top: { was: null, at: 0 },
  from: 0,
  rows: [],
};
