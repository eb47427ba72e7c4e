import type { ChangeContext, Resource } from '@platform/resources';
import type { Cursor, Place } from './cursor.ts';

/** One entry of the change log: a committed write of one resource. */
export interface ChangeEntry extends Place, ChangeContext {
  readonly cursor: Cursor;
  /** The transaction that wrote it; opaque. */
  readonly transaction: string;
  /** RFC 3339 in UTC with milliseconds. By the clock of the database: it grows with the revisions of one resource unless that clock is set back. */
  readonly time: string;
  /** Whether the resource is gone afterwards. */
  readonly removed: boolean;
  /** After the write; the last stored state when it was removed. */
  readonly resource: Resource;
  /** Before the write; null for a new resource, and where the log does not reach back so far. */
  readonly previous: Resource | null;
  /** For a RoleBinding, the uids of its scope and of everything above that, after the write; otherwise none. */
  readonly scopeUids: readonly string[];
  /** Those uids before the write. */
  readonly previousScopeUids: readonly string[];
}
